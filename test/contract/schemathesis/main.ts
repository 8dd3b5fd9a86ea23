/**
 * `npm run test:contract`: Schemathesis on the REST contract of a manager and of its worker, each a process of its own.
 *
 * From `/api/openapi.json` it makes up requests, valid ones and invalid ones, and sequences of them on one thing. It fails (exit code 1)
 * at a status, content type, header or shape that is not documented, at any 5xx but the documented 501 and 502, at an invalid request
 * that is accepted, and at a valid one that is refused for its shape. It fails, too, when an operation was never carried out:
 * then it has shown nothing of that one.
 *
 * `-- --examples 500` for a longer run, `-- --seed N` for other requests, `-- --role worker` for one role alone. The seed chooses the
 * requests but for what they take from answers: ids and times are of each run. The command is SCHEMATHESIS_PATH, which
 * `.ci/schemathesis` installs.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parseWhole } from '../../chaos/parseOptions.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';
import { type ContractDocument, type ContractReport, listUnserved } from './listUnserved.ts';
import { openContractFleet } from './openContractFleet.ts';

const ROLES = ['worker', 'manager'] as const;
type Role = (typeof ROLES)[number];

/** Characters of each log that a run which fails shows: the reasons of what clients are not told. */
const LOG_END = 8_192;

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    examples: { type: 'string', default: '25' },
    role: { type: 'string' },
  },
});
const seed = parseWhole('seed', values.seed, [0, 2 ** 32 - 1]);
const examples = parseWhole('examples', values.examples, [1, 100_000]);
const roles = values.role === undefined ? ROLES : ROLES.filter((role) => role === values.role);
if (roles.length === 0) {
  throw new Error(`Cannot read --role: "${values.role}" is no role, worker or manager is expected`);
}
const command = process.env.SCHEMATHESIS_PATH ?? '';
if (command === '') throw new Error('SCHEMATHESIS_PATH is not set: run .ci/schemathesis');

for (const role of roles) {
  print(`== the contract of a ${role}, seed ${seed}, ${examples} examples`);
  if (!(await isKept(role))) process.exitCode = 1;
}

/** On a fleet of its own: what one run leaves behind is no ground for the next. */
async function isKept(role: Role): Promise<boolean> {
  await using fleet = await openContractFleet();
  using directory = temporaryDirectory();
  const url = fleet.urls[role];
  const config = join(directory.path, 'schemathesis.toml');
  const report = join(directory.path, 'report.json');
  const authored = readFileSync(join(import.meta.dirname, 'schemathesis.toml'), 'utf8');
  const ours = [
    `generation.max-examples = ${examples}`,
    `dictionaries.checkouts.values = [${JSON.stringify(fleet.checkout)}]`,
  ];
  writeFileSync(config, [...ours, authored].join('\n'));
  const flags = ['--seed', String(seed), '--no-color', '--report', 'json', '--report-json-path', report];
  const child = spawn(command, ['--config-file', config, 'run', `${url}/api/openapi.json`, ...flags], {
    cwd: directory.path,
    stdio: 'inherit',
    env: {
      ...process.env,
      SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'hooks.py'),
      FLOTILLA_ROLE: role,
      FLOTILLA_URL: url,
      FLOTILLA_CONFIG: config,
      PYTHONDONTWRITEBYTECODE: '1',
    },
  });
  const [code] = await once(child, 'close');
  if (code !== 0) {
    for (const [name, log] of Object.entries(fleet.logs()))
      print(`-- end of the log of ${name}\n${log.slice(-LOG_END)}`);
    return false;
  }
  const document = (await (await fetch(`${url}/api/openapi.json`)).json()) as ContractDocument;
  const unserved = listUnserved(JSON.parse(readFileSync(report, 'utf8')) as ContractReport, document, role);
  if (unserved.length > 0) print(`FAILED: the ${role} has refused every request of ${unserved.join(', ')}`);
  return unserved.length === 0;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
