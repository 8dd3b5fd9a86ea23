/** The recorded answers are still those of the real agent. `UPDATE_FIXTURES=1` records them anew. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { A2AAgentProcess, AGENT_PYTHON } from '../support/A2AAgentProcess.ts';
import { AimockServer } from '../support/AimockServer.ts';
import { temporaryDirectory } from '../support/temporaryDirectory.ts';
import { type A2ARecording, recordA2AExchanges } from './recordA2AExchanges.ts';
import { shapeOf } from './recordExchanges.ts';

/** Starting the agent, with its Temporal server, takes seconds on a busy machine. */
vi.setConfig({ testTimeout: 120_000 });

const FIXTURE = new URL('../fixtures/a2a-member/exchanges.json', import.meta.url);

test.skipIf(!AGENT_PYTHON)('the recorded exchanges have the shapes of the real agent', async () => {
  using directory = temporaryDirectory();
  await using model = await AimockServer.start();
  await using agent = await A2AAgentProcess.start({
    directory: join(directory.path, 'agent'),
    modelUrl: model.url,
  });
  const recording = await recordA2AExchanges(agent);
  if (process.env.UPDATE_FIXTURES === '1') {
    mkdirSync(new URL('.', FIXTURE), { recursive: true });
    writeFileSync(FIXTURE, `${JSON.stringify(recording, undefined, 1)}\n`);
  }
  const recorded = JSON.parse(readFileSync(FIXTURE, 'utf8')) as A2ARecording;
  expect(comparable(recording)).toEqual(comparable(recorded));
});

/** What a task is like at the moment in which a write to it is answered, is a matter of luck: only what it must have is compared. */
function comparable({ exchanges, ...recording }: A2ARecording): unknown {
  return shapeOf({
    ...recording,
    exchanges: exchanges.map((exchange) =>
      exchange.status === 200 && /^(?:SendMessage|CancelTask)$/.test(exchange.operation.name)
        ? { ...exchange, answer: factsOfWrite(exchange.answer as Written) }
        : exchange,
    ),
  });
}

interface Written {
  readonly result?: Written;
  readonly error?: object;
  readonly task?: WrittenTask;
}

type WrittenTask = Written & { readonly id?: string; readonly status?: { readonly state?: string } };

function factsOfWrite(answer: Written): unknown {
  const result = answer.result ?? answer;
  const { id, status }: WrittenTask = result.task ?? result;
  return answer.error ?? { id, state: status?.state };
}
