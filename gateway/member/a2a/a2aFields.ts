/**
 * What of the graph an A2A agent answers, type by type. Whatever is not here the protocol does not have, or not in a form that the
 * graph could show: a field of the SDL that is new is one that agents lack, until it has a line here.
 */
import type { GraphQLResolveInfo } from 'graphql';
import { notSupported } from '../../../schema/errors.ts';
import type { MemberFields } from '../buildMemberSchema.ts';
import type { MemberEvent } from '../Member.ts';
import type { EventPageArguments } from '../toEventPage.ts';
import type { Row } from './A2ABinding.ts';
import type { A2AContext } from './A2AContext.ts';
import { formatAgentRef, parseAgentRef } from './agentRef.ts';
import { createTask } from './createTask.ts';
import { readAttention } from './readAttention.ts';
import { readEvents } from './readEvents.ts';
import type { RemoteTask } from './readRemoteTask.ts';
import { readTasks } from './readTasks.ts';
import { taskFields } from './taskFields.ts';
import { cancelTask, idOf, noSuchTask, type Receipt, sendMessage } from './writes.ts';

/** By type. Types that are not here are the graph's own shapes, which the resolvers fill whole. */
export const A2A_FIELDS: MemberFields = {
  Query: {
    tasks: (_root: unknown, args: Row, context: A2AContext, { path }: GraphQLResolveInfo) =>
      readTasks(args, context, [path.key]),
    attention: (_root: unknown, _args: Row, context: A2AContext) => readAttention(context),
    events: (_root: unknown, args: EventPageArguments, context: A2AContext) => readEvents(args, context),
    task: async (_root: unknown, { ref, atVersion }: Row, context: A2AContext): Promise<RemoteTask> => {
      if (typeof atVersion === 'number') {
        throw notSupported('task', 'an A2A agent keeps no versions of its tasks');
      }
      const task = await context.tasks.load(idOf(ref, context));
      if (!task) throw noSuchTask(ref);
      return task;
    },
  },
  Mutation: { createTask, sendMessage, cancelTask },
  Subscription: {},
  Task: {
    ...taskFields,
    __resolveReference: async ({ ref }: Row, _args: unknown, { name, tasks }: A2AContext) => {
      const id = parseAgentRef(name, String(ref));
      return (id !== undefined && (await tasks.load(id))) || null;
    },
  },
  MessageReceipt: {
    instance: (_receipt: Receipt, _args: unknown, { name }: A2AContext) => name,
    ref: ({ id }: Receipt, _args: unknown, { name }: A2AContext) => formatAgentRef(name, id),
    messageId: ({ messageId }: Receipt) => messageId,
    // Without a refusal it was taken.
    accepted: () => true,
    duplicate: ({ isDuplicate }: Receipt) => isDuplicate,
    state: async ({ id, state }: Receipt, _args: unknown, { tasks }: A2AContext) =>
      state ?? (await tasks.load(id))?.state ?? 'SUBMITTED',
    cursor: ({ position }: Receipt) => String(position),
  },
  EventRecord: {
    cursor: ({ offset }: MemberEvent) => String(offset),
    instance: (_event: MemberEvent, _args: unknown, { name }: A2AContext) => name,
    offset: ({ offset }: MemberEvent) => offset,
    type: ({ type }: MemberEvent) => type,
    at: ({ at }: MemberEvent) => at,
    level: ({ level }: MemberEvent) => level,
    ref: ({ ref }: MemberEvent) => ref,
    source: ({ source }: MemberEvent) => source,
    pid: ({ pid }: MemberEvent) => pid,
    data: ({ data }: MemberEvent) => data,
  },
  Instance: { name: ({ name }: Row) => name },
};
