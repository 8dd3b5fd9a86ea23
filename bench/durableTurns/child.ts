/**
 * One contender in a process of its own: `child.ts <contender> <directory> <program>`, forked. It says `ready`, answers each
 * order with a result, and ends when its parent hangs up.
 */
import { once } from 'node:events';
import { openDbosHost } from './openDbosHost.ts';
import { openEmbeddedHost } from './openEmbeddedHost.ts';
import { openTemporalHost, openTemporalHostInMemory } from './openTemporalHost.ts';
import { converse, type Workload } from './TurnHost.ts';

const OPENERS = {
  embedded: openEmbeddedHost,
  temporal: openTemporalHost,
  'temporal in memory': openTemporalHostInMemory,
  dbos: openDbosHost,
};

export type ContenderName = keyof typeof OPENERS;

/** Conversations of this contender are numbered through all orders. */
export interface Order extends Workload {
  readonly first: number;
}

const [, , name = '', directory = '', program = ''] = process.argv;
const hungUp = once(process, 'disconnect');
await using host = await OPENERS[name as ContenderName](directory, program);
process.on('message', async ({ first, ...workload }: Order) => {
  process.send?.(await converse(host, workload, first));
});
process.send?.('ready');
await hungUp;
