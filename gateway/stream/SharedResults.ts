/**
 * Results of events, shared by the subscriptions that ask the same: what many subscribers are told of one event is executed
 * once, as long as they are at the same positions.
 */
import { type DocumentNode, type ExecutionResult, type GraphQLSchema, Kind, visit } from 'graphql';
import type { MemberEvent } from '../member/Member.ts';
import type { StreamItem } from './FleetStream.ts';

/** Results of one event that are kept; the oldest leaves. */
const MAX_RESULTS = 8;

/** A subscription operation whose results depend on nothing but their items. */
export interface Question {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
}

type EventItem = Extract<StreamItem, { kind: 'event' }>;

interface Held extends Question {
  readonly instance: string;
  readonly cursor: string;
  readonly result: ExecutionResult;
}

/** A result lives as long as its event, which the window or a page holds; there are at most eight of one event. */
export class SharedResults {
  readonly #held = new WeakMap<MemberEvent, Held[]>();

  /** The result of an equal question, or that of `execute`, which is kept if it comes at once. It must not be changed. */
  get(
    question: Question,
    item: EventItem,
    execute: () => ExecutionResult | Promise<ExecutionResult>,
  ): ExecutionResult | Promise<ExecutionResult> {
    const { event, instance, cursor } = item;
    const held = this.#held.get(event) ?? [];
    for (const one of held) if (isOf(one, question, item)) return one.result;
    const result = execute();
    if (result instanceof Promise) return result;
    if (held.length === 0) this.#held.set(event, held);
    if (held.length === MAX_RESULTS) held.shift();
    const { schema, document, operationName } = question;
    held.push({ schema, document, operationName, instance, cursor, result });
    return result;
  }
}

function isOf(held: Held, { schema, document, operationName }: Question, item: EventItem): boolean {
  return (
    held.document === document &&
    held.cursor === item.cursor &&
    held.schema === schema &&
    held.operationName === operationName &&
    held.instance === item.instance
  );
}

/**
 * Whether results depend on nothing but their items: a `task` is read anew for each event, and what a variable leaves out may
 * differ. Below the root field nothing else takes an argument. Parts of the document that the operation does not use count, too.
 */
export function isShareable(document: DocumentNode): boolean {
  let isPlain = true;
  visit(document, {
    Field: ({ name }) => {
      if (name.value === 'task') isPlain = false;
    },
    Directive: ({ arguments: args = [] }) => {
      if (args.some(({ value }) => value.kind === Kind.VARIABLE)) isPlain = false;
    },
  });
  return isPlain;
}
