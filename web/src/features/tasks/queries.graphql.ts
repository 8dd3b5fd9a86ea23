/** What the task list asks for. */
import { graphql } from '../../gql/gql.ts';

/** One row of the list; also what a live event brings. */
export const TaskRowFields = graphql(`
  fragment TaskRow on Task {
    instance
    ref
    id
    state
    subState
    name
    goal
    lastReply
    statusMessage
    paused
    createdAt
    updatedAt
    version
  }
`);

export const TaskListQuery = graphql(`
  query TaskList($first: Int!, $after: String, $filter: TaskFilter) {
    tasks(first: $first, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {
      nodes {
        ...TaskRow
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`);

export const CreateTaskMutation = graphql(`
  mutation CreateTask($input: CreateTaskInput!, $instance: String) {
    createTask(input: $input, instance: $instance) {
      ...TaskRow
    }
  }
`);
