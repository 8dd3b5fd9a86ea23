/** The live stream, and where it begins. */
import { graphql } from '../gql/gql.ts';

/** Read before any list, so that the stream after this position and the list leave no gap between them. */
export const StreamPositionQuery = graphql(`
  query StreamPosition {
    events(last: 1) {
      pageInfo {
        endCursor
      }
    }
  }
`);

export const TaskEventFields = graphql(`
  fragment LiveEvent on TaskEvent {
    cursor
    instance
    offset
    type
    at
    ref
    task {
      ...TaskRow
    }
    data
  }
`);

export const TaskEventsSubscription = graphql(`
  subscription TaskEvents($after: String) {
    taskEvents(after: $after) {
      ...LiveEvent
    }
  }
`);
