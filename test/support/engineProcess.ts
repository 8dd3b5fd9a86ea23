/**
 * An instance's engine in a process of its own, to be killed: `node engineProcess.ts <directory>`.
 *
 * Starts one task for each tool, the idempotent `get_order` and `refund`. Each tool writes its name as a line and never
 * returns; a third line says `held` when the directory could not be taken.
 */
import { writeSync } from 'node:fs';
import { FlotillaError } from '../../schema/errors.ts';
import { FakePerformer, hang } from './FakePerformer.ts';
import { openEngine } from './openEngine.ts';
import { aNewTask, callToolFirst } from './tasks.ts';

const [, , directory = ''] = process.argv;

try {
  await using opened = await openEngine({ directory, performer: createPerformer() });
  for (const tool of ['get_order', 'refund']) await opened.engine.start(aNewTask({ name: tool }));
  // The tasks' effects alone do not keep a process alive.
  await new Promise((resolve) => setInterval(resolve, 2 ** 30));
} catch (error) {
  if (!(error instanceof FlotillaError)) throw error;
  say(error.message);
  process.exitCode = 2;
}

function createPerformer(): FakePerformer {
  return new FakePerformer({
    callModel: (effect, context) =>
      callToolFirst({ callId: 'call-1', tool: context.state.name, arguments: {} })(effect, context),
    callTool: (effect, context) => {
      say(effect.call.tool);
      return hang(effect, context);
    },
  });
}

function say(line: string): void {
  writeSync(1, `${line}\n`);
}
