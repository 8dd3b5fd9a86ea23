/** What the pane of one task asks for and what it does to the task. */
import { graphql } from '../../gql/gql.ts';

/** What the pane shows above and beside the conversation. */
export const TaskDetailFields = graphql(`
  fragment TaskDetail on Task {
    ...TaskRow
    contextId
    lifecycle
    turns
    queuedMessages
    participants {
      id
      kind
      role
      displayName
    }
    settings {
      model
      effort
    }
    usage {
      inputTokens
      cachedTokens
      outputTokens
    }
    plan {
      steps {
        ...PlanStep
      }
    }
  }
`);

export const PlanStepFields = graphql(`
  fragment PlanStep on PlanStep {
    id
    name
    description
    state
    output
  }
`);

export const HistoryEntryFields = graphql(`
  fragment HistoryEntry on HistoryItem {
    __typename
    ... on HistoryMessage {
      id
      role
      participant
      text
      at
    }
    ... on HistoryToolCall {
      id
      callId
      tool
      arguments
      at
    }
    ... on HistoryToolResult {
      id
      callId
      tool
      text
      isError
      at
    }
  }
`);

export const TaskPaneQuery = graphql(`
  query TaskPane($ref: ID!, $instance: String, $first: Int!, $after: String) {
    task(ref: $ref, instance: $instance) {
      ...TaskDetail
      history(first: $first, after: $after) {
        nodes {
          ...HistoryEntry
        }
        pageInfo {
          hasNextPage
          endCursor
        }
      }
    }
  }
`);

export const CommandsQuery = graphql(`
  query Commands {
    commands {
      instance
      name
      description
      usage
    }
  }
`);

export const SendMessageMutation = graphql(`
  mutation SendMessage($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {
    sendMessage(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {
      messageId
      duplicate
    }
  }
`);

export const RunCommandMutation = graphql(`
  mutation RunCommand($ref: ID!, $instance: String, $text: String!) {
    runCommand(ref: $ref, instance: $instance, text: $text) {
      messageId
      name
      ok
      text
      error
    }
  }
`);

export const CompleteTaskMutation = graphql(`
  mutation CompleteTask($ref: ID!, $instance: String) {
    completeTask(ref: $ref, instance: $instance) {
      ...TaskRow
    }
  }
`);

export const CancelTaskMutation = graphql(`
  mutation CancelTask($ref: ID!, $instance: String) {
    cancelTask(ref: $ref, instance: $instance) {
      ...TaskRow
    }
  }
`);
