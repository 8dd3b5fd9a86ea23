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
      cost
      byModel {
        model
        inputTokens
        outputTokens
        cost
      }
    }
    ...TaskLimits
    plan {
      steps {
        ...PlanStep
      }
    }
    description
    acceptanceCriteria {
      text
      met
    }
    question {
      ...Question
    }
    parent {
      ...Relative
    }
    # More than a task can have.
    children(first: 1000) {
      ...Relative
    }
    origin {
      ref
      version
    }
  }
`);

/** What the task may use, and what holds it back. */
export const TaskLimitsFields = graphql(`
  fragment TaskLimits on Task {
    budget {
      turns
      tokens
      cost
    }
    heldBy
  }
`);

export const QuestionFields = graphql(`
  fragment Question on Question {
    participant
    text
    options
    messageId
  }
`);

/** Another task, as a link to it. */
export const RelativeFields = graphql(`
  fragment Relative on Task {
    instance
    ref
    name
    state
    subState
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

/** The task as it was, with the end of its conversation. */
export const PastTaskQuery = graphql(`
  query PastTask($ref: ID!, $instance: String, $version: Int!, $last: Int!) {
    task(ref: $ref, instance: $instance, atVersion: $version) {
      ...TaskRow
      plan {
        steps {
          ...PlanStep
        }
      }
      history(last: $last) {
        nodes {
          ...HistoryEntry
        }
        pageInfo {
          hasPreviousPage
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

export const AnswerQuestionMutation = graphql(`
  mutation AnswerQuestion($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {
    answerQuestion(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {
      messageId
    }
  }
`);

export const PauseTaskMutation = graphql(`
  mutation PauseTask($ref: ID!, $instance: String) {
    pauseTask(ref: $ref, instance: $instance) {
      ...TaskRow
    }
  }
`);

export const ResumeTaskMutation = graphql(`
  mutation ResumeTask($ref: ID!, $instance: String) {
    resumeTask(ref: $ref, instance: $instance) {
      ...TaskRow
    }
  }
`);

export const SetTaskBudgetMutation = graphql(`
  mutation SetTaskBudget($ref: ID!, $instance: String, $budget: TaskBudgetInput!) {
    setTaskBudget(ref: $ref, instance: $instance, budget: $budget) {
      ...TaskRow
    }
  }
`);

export const ForkTaskMutation = graphql(`
  mutation ForkTask($ref: ID!, $instance: String, $atVersion: Int!, $message: String, $messageId: ID!) {
    forkTask(
      ref: $ref
      instance: $instance
      atVersion: $atVersion
      message: $message
      messageId: $messageId
    ) {
      ...TaskRow
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
