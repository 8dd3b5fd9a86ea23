/** What a browser is shown in the place of a page that was not built. */
export function notBuiltPage(name: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Flotilla</title>
    <style>
      body { font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1rem; }
    </style>
  </head>
  <body>
    <h1>Flotilla is running</h1>
    <p>The ${name} was not built. Build it with <code>npm run build:web</code> and reload this page.</p>
    <p>GraphQL answers at <code>/graphql</code>, REST at <code>/api/v1</code>
      (<a href="/api/openapi.json">contract</a>).</p>
  </body>
</html>
`;
}
