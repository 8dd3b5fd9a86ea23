/** `npm run build`: what the package ships. JavaScript and types of the rooms, the contracts they read, and the dashboard. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const DIST = 'dist';

rmSync(DIST, { recursive: true, force: true });
execFileSync('tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
for (const file of globSync([
  'schema/*.{graphql,yaml}',
  'schema/generated/*.{json,graphql}',
  'server/**/*.graphql',
])) {
  mkdirSync(dirname(join(DIST, file)), { recursive: true });
  copyFileSync(file, join(DIST, file));
}
const { name, version, type } = JSON.parse(readFileSync('package.json', 'utf8'));
writeFileSync(join(DIST, 'package.json'), JSON.stringify({ name, version, type }));
execFileSync('vite', ['build', 'web', '--logLevel', 'warn'], { stdio: 'inherit' });
