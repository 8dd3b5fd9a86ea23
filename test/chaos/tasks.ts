/**
 * `npm run chaos:tasks`: a host with 200 tasks, killed at random moments, and whether every task ends as without a kill
 * and no call that may not be repeated was.
 *
 * `-- --tasks N`, `-- --kills N`; `-- --seed N` for the kills of an earlier run.
 */
import { parseArgs } from 'node:util';
import { parseWhole } from './parseOptions.ts';
import { runTaskChaos } from './runTaskChaos.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '200' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
});
const options = {
  tasks: parseWhole('tasks', values.tasks, [1, 800]),
  kills: parseWhole('kills', values.kills, [0, 10_000]),
  seed: parseWhole('seed', values.seed, [0, 2 ** 32 - 1]),
};
print(`seed ${options.seed}, ${options.tasks} tasks, ${options.kills} kills`);
const { problems, unknown, repeated } = await runTaskChaos(options);
print(`${unknown} refunds with an unknown outcome, ${repeated} lookups that were made again`);
for (const problem of problems) print(problem);
if (problems.length > 0) process.exitCode = 1;
print(problems.length > 0 ? `FAILED with seed ${options.seed}` : 'passed');

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}
