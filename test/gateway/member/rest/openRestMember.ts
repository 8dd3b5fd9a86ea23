/** A REST member over a service that gives recorded answers. */
import { type DocumentNode, parse } from 'graphql';
import { createHttpConnection } from '../../../../gateway/member/HttpConnection.ts';
import type {
  Member,
  MemberAnswer,
  MemberEventPage,
  MemberResult,
} from '../../../../gateway/member/Member.ts';
import { buildRestSchema } from '../../../../gateway/member/rest/buildRestSchema.ts';
import { createRestMember } from '../../../../gateway/member/rest/RestMember.ts';
import { createAddressGuard } from '../../../../lib/AddressGuard.ts';
import { type Clock, systemClock } from '../../../../lib/Clock.ts';
import { systemIds } from '../../../../lib/ids.ts';
import { type Logger, silentLogger } from '../../../../lib/Logger.ts';
import { instanceTypeDefs } from '../../../../subgraph/index.ts';
import { createRestServer, type RestServer, type RestServerOptions } from '../../../support/RestServer.ts';
import { type Asking, askThrough } from '../askThrough.ts';

export interface OpenRestMember extends Asking, AsyncDisposable {
  readonly member: Member;
  readonly server: RestServer;
  execute(text: string, variables?: Record<string, unknown>): Promise<MemberResult<MemberAnswer>>;
}

let schema: ReturnType<typeof buildRestSchema> | undefined;

export async function openRestMember({
  server: serverOptions = {},
  clock = systemClock,
  logger = silentLogger,
  keepAliveMs,
  token,
}: {
  readonly server?: Partial<RestServerOptions>;
  readonly clock?: Clock;
  readonly logger?: Logger;
  readonly keepAliveMs?: number;
  readonly token?: string;
} = {}): Promise<OpenRestMember> {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await createRestServer({ name: 'alpha', ...serverOptions }));
  const guard = createAddressGuard();
  const url = server.url;
  const connection = resources.use(createHttpConnection({ url, token: () => token, guard }));
  schema ??= buildRestSchema(instanceTypeDefs());
  const member = createRestMember({
    name: 'alpha',
    url,
    connection,
    schema,
    guard,
    clock,
    ids: systemIds,
    logger,
    token: () => token,
    ...(keepAliveMs !== undefined && { keepAliveMs: () => keepAliveMs }),
  });
  const execute: OpenRestMember['execute'] = (text, variables = {}) =>
    member.execute({ text, document: parseOnce(text), variables }, { signal: new AbortController().signal });
  const owned = resources.move();
  return {
    member,
    server,
    execute,
    ...askThrough(execute),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function parseOnce(text: string): DocumentNode {
  return parse(text);
}

/** A watch that is read piece by piece. */
export function openWatch(member: Member, after: number | undefined, transcripts: readonly string[] = []) {
  const controller = new AbortController();
  const iterator = member.watch({ after, transcripts, signal: controller.signal })[Symbol.asyncIterator]();
  const page = async (): Promise<MemberEventPage> => {
    const { value, done } = await iterator.next();
    if (done) throw new Error('The watch has ended');
    return value;
  };
  return {
    controller,
    iterator,
    page,
    async types(count: number): Promise<string[]> {
      const types: string[] = [];
      while (types.length < count) types.push(...(await page()).events.map(({ type }) => type));
      return types;
    },
    async [Symbol.asyncDispose]() {
      controller.abort();
      await iterator.return?.();
    },
  };
}
