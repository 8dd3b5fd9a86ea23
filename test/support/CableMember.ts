/** A member over a test worker at the end of a cable that can be cut, and whose far end can hang. */
import { createLocalMember } from '../../gateway/member/LocalMember.ts';
import type {
  Member,
  MemberCallOptions,
  MemberEventPage,
  MemberResult,
} from '../../gateway/member/Member.ts';
import { toAbortFailure } from '../../gateway/member/memberFailure.ts';
import { silentLogger } from '../../lib/Logger.ts';
import type { TestWorker } from './createTestWorker.ts';

type Cable = 'plugged' | 'cut' | 'hanging';

export class CableMember implements Member, AsyncDisposable {
  readonly name: string;
  readonly worker: TestWorker;
  readonly #inner: Member;
  readonly #watches = new Set<AbortController>();
  #cable: Cable = 'plugged';
  /** Calls of `identify` so far. */
  probes = 0;
  /** Calls of `identify` that have no answer yet. */
  probing = 0;
  /** Operations so far. */
  calls = 0;
  /** Watches that were opened so far. */
  opened = 0;
  isClosed = false;

  constructor(worker: TestWorker, name: string) {
    this.name = name;
    this.worker = worker;
    this.#inner = createLocalMember({ name, worker, logger: silentLogger });
  }

  /** Watches that are open. */
  get watches(): number {
    return this.#watches.size;
  }

  plug(): void {
    this.#cable = 'plugged';
  }

  /** Calls fail at once, watches end with an error. */
  cut(): void {
    this.#cable = 'cut';
    this.drop();
  }

  /** Calls get no answer before their deadline. */
  hang(): void {
    this.#cable = 'hanging';
  }

  /** Ends the watches with an error, and nothing else. */
  drop(): void {
    for (const watch of this.#watches) watch.abort(new Error('cut'));
  }

  async execute(...[request, options]: Parameters<Member['execute']>) {
    this.calls += 1;
    return this.#through(() => this.#inner.execute(request, options), options);
  }

  async identify(options: MemberCallOptions) {
    this.probes += 1;
    this.probing += 1;
    try {
      return await this.#through(() => this.#inner.identify(options), options);
    } finally {
      this.probing -= 1;
    }
  }

  async *watch({ after, signal }: Parameters<Member['watch']>[0]): AsyncGenerator<MemberEventPage> {
    if (this.#cable !== 'plugged') throw new Error('cut');
    this.opened += 1;
    const lost = new AbortController();
    this.#watches.add(lost);
    try {
      yield* this.#inner.watch({ after, signal: AbortSignal.any([signal, lost.signal]) });
      if (lost.signal.aborted) throw lost.signal.reason;
    } finally {
      this.#watches.delete(lost);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.isClosed = true;
  }

  async #through<Answer>(
    call: () => Promise<MemberResult<Answer>>,
    { signal }: MemberCallOptions,
  ): Promise<MemberResult<Answer>> {
    switch (this.#cable) {
      case 'plugged':
        return call();
      case 'cut':
        return { kind: 'failure', failure: { kind: 'transport', reason: 'connection refused' } };
      case 'hanging':
        await aborted(signal);
        return { kind: 'failure', failure: toAbortFailure(signal.reason) };
    }
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
