/**
 * `npm run chaos:tasks`: a host with 200 tasks, killed at random moments, and whether every task ends as without a kill
 * and no call that may not be repeated was.
 *
 * `-- --tasks N`, `-- --kills N`; `-- --seed N` for the kills of an earlier run.
 */
import { parseArgs } from 'node:util';
import { runTaskChaos } from './runTaskChaos.ts';

const { values } = parseArgs({
  options: {
    tasks: { type: 'string', default: '200' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 32)) },
  },
});
const options = {
  tasks: Number(values.tasks),
  kills: Number(values.kills),
  seed: Number(values.seed),
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
