/** How this command line is called by whoever reads a hint: installed, or from a checkout through npm. */
export function commandName(): string {
  return process.env.npm_lifecycle_event === undefined ? 'flotilla' : 'npm run flotilla --';
}
