/** The rows and the queries of the list read, the same for every contender. */

const ROW_FIELDS = 'instance ref id state subState name goal lastReply createdAt updatedAt version';

export const LIST_QUERY = `{ tasks(first: 1000) { nodes { ${ROW_FIELDS} } pageInfo { hasNextPage endCursor } } }`;

export const KEYED_QUERY =
  '{ task(ref: "flotilla:member0/task#1") { instance ref name state lastReply updatedAt } }';

/** Each of so many members has so many rows. */
export interface Shape {
  readonly members: number;
  readonly rows: number;
}

/** A stock gateway cannot join one list from several members: it asks one root field of each. */
export function stockListQuery({ members, rows }: Shape): string {
  const fields = Array.from(
    { length: members },
    (_, index) =>
      `tasks${index}(first: ${rows}) { nodes { ${ROW_FIELDS} } pageInfo { hasNextPage endCursor } }`,
  );
  return `{ ${fields.join(' ')} }`;
}

/** Rows like those of a busy worker: 200 to 300 bytes of text each. */
export function taskRow(instance: string, index: number) {
  const at = new Date(Date.UTC(2026, 0, 1) + index * 61_000).toISOString();
  return {
    instance,
    ref: `flotilla:${instance}/task#${index + 1}`,
    id: `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`,
    state: 'INPUT_REQUIRED',
    subState: 'AWAITING_MESSAGE',
    name: `Check the ledger of month ${index}`,
    goal: `Check the ledger of month ${index} against the bank's statement and list every difference with its cause`,
    lastReply: `The ledger of month ${index} agrees with the statement; two entries were booked a day late.`,
    createdAt: at,
    updatedAt: at,
    version: 7,
  };
}

/** The same rows as a subgraph of its own, as plain federation would have it. */
export function stockTypeDefs(field: string): string {
  return `
    extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@shareable"])
    scalar DateTime
    enum TaskState { SUBMITTED WORKING INPUT_REQUIRED AUTH_REQUIRED COMPLETED FAILED CANCELED REJECTED }
    enum TaskSubState { AWAITING_MESSAGE AWAITING_ANSWER }
    type Query { ${field}(first: Int = 50): Tasks! }
    type Tasks @shareable { nodes: [Task!]! pageInfo: PageInfo! }
    type PageInfo @shareable { hasNextPage: Boolean! endCursor: String }
    type Task @shareable {
      instance: String! ref: ID! id: ID! state: TaskState! subState: TaskSubState name: String! goal: String!
      lastReply: String createdAt: DateTime! updatedAt: DateTime! version: Int!
    }`;
}
