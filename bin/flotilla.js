#!/usr/bin/env node
// The installed command. It says so in one line when Node is too old to run the rest.
const [major] = process.versions.node.split('.');
if (Number(major) < 24) {
  process.stderr.write(
    `error: Flotilla needs Node 24 or newer, this is ${process.versions.node}; "npm install node@24" brings one\n`,
  );
  process.exit(2);
}
// Read by graphql-js while it is loaded: in any other mode it checks every value of an answer twice.
process.env.NODE_ENV ??= 'production';
await import('../dist/cli/main.js');
