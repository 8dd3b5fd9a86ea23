/** A subgraph of a thousand types joins a manager that is at work. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { readGraphQL } from '../../support/askGraphQL.ts';
import type { LoopReport } from '../../support/hastyManager.ts';
import { REVIEWS, SubgraphServer } from '../../support/SubgraphServer.ts';
import { awaitState } from '../../support/taskClient.ts';
import { temporaryDirectory } from '../../support/temporaryDirectory.ts';

const TYPES = 1000;
/** Longest turn of the event loop, in milliseconds of work. */
const MAX_TURN_MS = 100;

test('no turn of the event loop takes a tenth of a second while a graph of a thousand types is taken over', async () => {
  await using reviews = await SubgraphServer.start();
  using directory = temporaryDirectory();
  const configPath = join(directory.path, 'flotilla.yaml');
  const instance = { name: 'hq', role: 'manager', manager: { timeoutSeconds: 100, probeIntervalSeconds: 1 } };
  const subgraphs = [{ name: 'reviews', url: reviews.url }];
  writeFileSync(configPath, stringify({ instance, gateway: { subgraphs }, log: { level: 'error' } }));
  const manager = fork(join(import.meta.dirname, '../../support/hastyManager.ts'), [configPath], {
    execArgv: [],
  });
  await using _stop = { [Symbol.asyncDispose]: async () => void manager.kill('SIGKILL') };
  const [url] = (await once(manager, 'message')) as [string];
  const report = async (): Promise<LoopReport> => {
    manager.send('report');
    const [loop] = (await once(manager, 'message')) as [LoopReport];
    return loop;
  };
  await awaitState(() => readGraphQL(url, '{ instances { rack } }'));
  await report();

  const fields = (index: number) => `name: String at: String next: Large${(index + 1) % TYPES}`;
  const types = Array.from({ length: TYPES }, (_, index) => `type Large${index} { ${fields(index)} }`);
  reviews.publish(`${REVIEWS} ${types.join(' ')} extend type Query { large: Large0 }`);
  await awaitState(async () => {
    const { __type } = await readGraphQL(url, '{ __type(name: "Large999") { name } }');
    expect(__type).not.toBeNull();
  });
  await readGraphQL(url, '{ instances { rack } }');

  expect((await report()).cpuMs).toBeLessThan(MAX_TURN_MS);
}, 60_000);
