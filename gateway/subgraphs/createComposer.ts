/**
 * Composes away from the event loop: composition takes tens of milliseconds, or without end for a schema that means harm, and
 * nothing else would run meanwhile.
 */
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../lib/Clock.ts';
import type { Composition, SubgraphText } from './composeJoined.ts';

/** Longest composition, in milliseconds; its thread ends with it. */
const TIMEOUT_MS = 30_000;
/** A thread that is not asked for so long is ended: it holds tens of megabytes. */
const IDLE_MS = 30_000;
/** Memory of a composition, in megabytes. */
const MAX_HEAP_MB = 512;

/** Beside a `Composition`: none, because of the thread and not of the subgraphs. */
export type ComposerAnswer = Composition | { readonly kind: 'failed'; readonly reason: string };

/** Disposing ends a composition that runs as `failed`, as every one that is asked for later. */
export interface Composer extends AsyncDisposable {
  /** One at a time; the caller waits for the answer before it asks again. Never rejects. */
  compose(joined: readonly SubgraphText[]): Promise<ComposerAnswer>;
}

export interface ComposerOptions {
  /** The manager's own subgraphs. */
  readonly own: readonly SubgraphText[];
  readonly clock: Clock;
}

/** Starts its thread with the first composition. */
export function createComposer({ own, clock }: ComposerOptions): Composer {
  let thread: Worker | undefined;
  let idle: Disposable | undefined;
  let isClosed = false;

  async function end(): Promise<void> {
    const ended = thread;
    thread = undefined;
    await ended?.terminate();
  }

  return {
    async compose(joined) {
      idle?.[Symbol.dispose]();
      if (isClosed) return failed('it was ended');
      thread ??= startThread(own);
      const asked = thread;
      const answer = await ask(asked, joined, clock);
      if (answer.kind === 'failed' && thread === asked) await end();
      if (thread) idle = clock.schedule(IDLE_MS, () => void end());
      return answer;
    },
    async [Symbol.asyncDispose]() {
      isClosed = true;
      idle?.[Symbol.dispose]();
      await end();
    },
  };
}

function startThread(own: readonly SubgraphText[]): Worker {
  // The same file as sources and as the built package.
  const file = import.meta.url.endsWith('.ts') ? './composeThread.ts' : './composeThread.js';
  const thread = new Worker(new URL(file, import.meta.url), {
    workerData: own,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    // Neither the flags of this process nor its secrets are the business of the thread.
    execArgv: [],
    env: {},
  });
  thread.unref();
  return thread;
}

function ask(thread: Worker, joined: readonly SubgraphText[], clock: Clock): Promise<ComposerAnswer> {
  return new Promise((resolve) => {
    const timer = clock.schedule(TIMEOUT_MS, () => settle(failed('it takes too long')));
    const onMessage = (composition: Composition): void => settle(composition);
    const onError = (): void => settle(failed('it met a defect, or needs too much memory'));
    const onExit = (): void => settle(failed('it was ended'));
    function settle(answer: ComposerAnswer): void {
      timer[Symbol.dispose]();
      thread.off('message', onMessage).off('error', onError).off('exit', onExit);
      resolve(answer);
    }
    thread.on('message', onMessage).on('error', onError).on('exit', onExit);
    thread.postMessage(joined);
  });
}

function failed(what: string): ComposerAnswer {
  return { kind: 'failed', reason: `the composition failed: ${what}` };
}
