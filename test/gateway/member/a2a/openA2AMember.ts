/** An A2A member over a scripted agent. */
import { parse } from 'graphql';
import { createA2AMember } from '../../../../gateway/member/a2a/A2AMember.ts';
import { A2A_FIELDS } from '../../../../gateway/member/a2a/a2aFields.ts';
import { buildMemberSchema } from '../../../../gateway/member/buildMemberSchema.ts';
import type {
  IdentityAnswer,
  Member,
  MemberAnswer,
  MemberEventPage,
  MemberResult,
} from '../../../../gateway/member/Member.ts';
import { createAddressGuard } from '../../../../lib/AddressGuard.ts';
import { type Clock, systemClock } from '../../../../lib/Clock.ts';
import { systemIds } from '../../../../lib/ids.ts';
import { silentLogger } from '../../../../lib/Logger.ts';
import { instanceTypeDefs } from '../../../../subgraph/index.ts';
import { type A2AServer, type A2AServerOptions, createA2AServer } from '../../../support/A2AServer.ts';
import { type Asking, askThrough } from '../askThrough.ts';

export interface OpenA2AMember extends Asking, AsyncDisposable {
  readonly member: Member;
  readonly server: A2AServer;
  identify(): Promise<MemberResult<IdentityAnswer>>;
  execute(text: string): Promise<MemberResult<MemberAnswer>>;
}

export interface OpenA2AMemberOptions {
  readonly server?: A2AServerOptions;
  readonly clock?: Clock;
  readonly participant?: string;
  readonly token?: string;
  /** Registered in place of the agent's own address. */
  readonly url?: string;
}

let schema: ReturnType<typeof buildMemberSchema> | undefined;

/** The member `agent`, whose card was read already. */
export async function openA2AMember(options: OpenA2AMemberOptions = {}): Promise<OpenA2AMember> {
  const { clock = systemClock, participant, token } = options;
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await createA2AServer(options.server));
  schema ??= buildMemberSchema(instanceTypeDefs(), A2A_FIELDS);
  const member = resources.use(
    createA2AMember({
      name: 'agent',
      url: options.url ?? server.url,
      schema,
      clock,
      ids: systemIds,
      logger: silentLogger,
      guard: createAddressGuard(),
      token: () => token,
      ...(participant !== undefined && { participant }),
    }),
  );
  const signal = (): AbortSignal => AbortSignal.timeout(10_000);
  const identify = () => member.identify({ signal: signal() });
  const execute: OpenA2AMember['execute'] = (text) =>
    member.execute({ text, document: parse(text), variables: {} }, { signal: signal() });
  await identify();
  const owned = resources.move();
  return {
    member,
    server,
    identify,
    execute,
    ...askThrough(execute),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A watch that is read piece by piece. */
export function openWatch(member: Member, after?: number) {
  const controller = new AbortController();
  const iterator = member.watch({ after, signal: controller.signal })[Symbol.asyncIterator]();
  const page = async (): Promise<MemberEventPage> => {
    const { value, done } = await iterator.next();
    if (done) throw new Error('The watch has ended');
    return value;
  };
  return {
    page,
    /** `type ref state` of the next events. */
    async told(count: number): Promise<string[]> {
      const told: string[] = [];
      while (told.length < count) {
        for (const { type, ref, data } of (await page()).events) {
          told.push(`${type} ${ref} ${(data as { readonly state?: string }).state ?? ''}`.trim());
        }
      }
      return told;
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await iterator.return?.();
    },
  };
}

/** Where the log ends, after a look at all tasks while nobody watches. */
export async function endOfLog(member: Member): Promise<number> {
  const result = await member.readLog?.({ after: 0, first: 0 }, { signal: AbortSignal.timeout(10_000) });
  if (result?.kind !== 'answer') throw new Error('The log was expected to tell its end');
  return result.answer.newest;
}
