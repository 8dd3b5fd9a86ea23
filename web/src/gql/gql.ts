/* eslint-disable */
import * as types from './graphql';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  fragment InstanceRow on Instance {\n    name\n    url\n    role\n    state\n    version\n    mode\n    managedCount\n    sessionCount\n    probedAt\n    detail\n  }\n": typeof types.InstanceRowFragmentDoc,
    "\n  query Fleet {\n    instances {\n      ...InstanceRow\n    }\n    health {\n      ingresses {\n        name\n        running\n      }\n    }\n  }\n": typeof types.FleetDocument,
    "\n  mutation RegisterInstance($name: String!, $url: String!) {\n    registerInstance(name: $name, url: $url) {\n      written\n    }\n  }\n": typeof types.RegisterInstanceDocument,
    "\n  mutation UnregisterInstance($name: String!) {\n    unregisterInstance(name: $name) {\n      written\n    }\n  }\n": typeof types.UnregisterInstanceDocument,
    "\n  query InstanceIdentity($instance: String) {\n    instance(instance: $instance) {\n      managed {\n        ref\n        sources\n        instance\n      }\n    }\n  }\n": typeof types.InstanceIdentityDocument,
    "\n  query Daemons {\n    daemons {\n      instance\n      name\n      running\n      lastCycleAt\n    }\n  }\n": typeof types.DaemonsDocument,
    "\n  query InstanceHealth($instance: String) {\n    health(instance: $instance) {\n      status\n      version\n      role\n      configPath\n      stateRoot\n    }\n  }\n": typeof types.InstanceHealthDocument,
    "\n  query InstanceConfig($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n    configSchema(instance: $instance)\n  }\n": typeof types.InstanceConfigDocument,
    "\n  query ConfigFile($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n  }\n": typeof types.ConfigFileDocument,
    "\n  mutation UpdateConfig($patch: JSON!, $instance: String) {\n    updateConfig(patch: $patch, instance: $instance) {\n      path\n      exists\n      changed\n      restartRequired\n      written\n      config\n    }\n  }\n": typeof types.UpdateConfigDocument,
    "\n  mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {\n    controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {\n      exitCode\n      output\n    }\n  }\n": typeof types.ControlDaemonDocument,
    "\n  mutation Restart($instance: String) {\n    restart(instance: $instance) {\n      scheduled\n      logfile\n    }\n  }\n": typeof types.RestartDocument,
    "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    contextId\n    lifecycle\n    turns\n    queuedMessages\n    participants {\n      id\n      kind\n      role\n      displayName\n    }\n    settings {\n      model\n      effort\n    }\n    usage {\n      inputTokens\n      cachedTokens\n      outputTokens\n      cost\n      byModel {\n        model\n        inputTokens\n        outputTokens\n        cost\n      }\n    }\n    ...TaskLimits\n    plan {\n      steps {\n        ...PlanStep\n      }\n    }\n    description\n    acceptanceCriteria {\n      text\n      met\n    }\n    question {\n      ...Question\n    }\n    parent {\n      ...Relative\n    }\n    # More than a task can have.\n    children(first: 1000) {\n      ...Relative\n    }\n    origin {\n      ref\n      version\n    }\n  }\n": typeof types.TaskDetailFragmentDoc,
    "\n  fragment TaskLimits on Task {\n    budget {\n      turns\n      tokens\n      cost\n    }\n    heldBy\n  }\n": typeof types.TaskLimitsFragmentDoc,
    "\n  fragment Question on Question {\n    participant\n    text\n    options\n    messageId\n  }\n": typeof types.QuestionFragmentDoc,
    "\n  fragment Relative on Task {\n    instance\n    ref\n    name\n    state\n    subState\n  }\n": typeof types.RelativeFragmentDoc,
    "\n  fragment PlanStep on PlanStep {\n    id\n    name\n    description\n    state\n    output\n  }\n": typeof types.PlanStepFragmentDoc,
    "\n  fragment HistoryEntry on HistoryItem {\n    __typename\n    ... on HistoryMessage {\n      id\n      role\n      participant\n      text\n      at\n    }\n    ... on HistoryToolCall {\n      id\n      callId\n      tool\n      arguments\n      at\n    }\n    ... on HistoryToolResult {\n      id\n      callId\n      tool\n      text\n      isError\n      at\n    }\n  }\n": typeof types.HistoryEntryFragmentDoc,
    "\n  query TaskPane($ref: ID!, $instance: String, $first: Int!, $after: String) {\n    task(ref: $ref, instance: $instance) {\n      ...TaskDetail\n      history(first: $first, after: $after) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": typeof types.TaskPaneDocument,
    "\n  query PastTask($ref: ID!, $instance: String, $version: Int!, $last: Int!) {\n    task(ref: $ref, instance: $instance, atVersion: $version) {\n      ...TaskRow\n      plan {\n        steps {\n          ...PlanStep\n        }\n      }\n      history(last: $last) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasPreviousPage\n        }\n      }\n    }\n  }\n": typeof types.PastTaskDocument,
    "\n  query Commands {\n    commands {\n      instance\n      name\n      description\n      usage\n    }\n  }\n": typeof types.CommandsDocument,
    "\n  mutation SendMessage($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    sendMessage(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n      duplicate\n    }\n  }\n": typeof types.SendMessageDocument,
    "\n  mutation RunCommand($ref: ID!, $instance: String, $text: String!) {\n    runCommand(ref: $ref, instance: $instance, text: $text) {\n      messageId\n      name\n      ok\n      text\n      error\n    }\n  }\n": typeof types.RunCommandDocument,
    "\n  mutation AnswerQuestion($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    answerQuestion(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n    }\n  }\n": typeof types.AnswerQuestionDocument,
    "\n  mutation PauseTask($ref: ID!, $instance: String) {\n    pauseTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": typeof types.PauseTaskDocument,
    "\n  mutation ResumeTask($ref: ID!, $instance: String) {\n    resumeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": typeof types.ResumeTaskDocument,
    "\n  mutation SetTaskBudget($ref: ID!, $instance: String, $budget: TaskBudgetInput!) {\n    setTaskBudget(ref: $ref, instance: $instance, budget: $budget) {\n      ...TaskRow\n    }\n  }\n": typeof types.SetTaskBudgetDocument,
    "\n  mutation ForkTask($ref: ID!, $instance: String, $atVersion: Int!, $message: String, $messageId: ID!) {\n    forkTask(\n      ref: $ref\n      instance: $instance\n      atVersion: $atVersion\n      message: $message\n      messageId: $messageId\n    ) {\n      ...TaskRow\n    }\n  }\n": typeof types.ForkTaskDocument,
    "\n  mutation CompleteTask($ref: ID!, $instance: String) {\n    completeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": typeof types.CompleteTaskDocument,
    "\n  mutation CancelTask($ref: ID!, $instance: String) {\n    cancelTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": typeof types.CancelTaskDocument,
    "\n  fragment TaskRow on Task {\n    instance\n    ref\n    id\n    state\n    subState\n    name\n    goal\n    lastReply\n    statusMessage\n    paused\n    createdAt\n    updatedAt\n    version\n  }\n": typeof types.TaskRowFragmentDoc,
    "\n  query TaskList($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {\n      nodes {\n        ...TaskRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": typeof types.TaskListDocument,
    "\n  mutation CreateTask($input: CreateTaskInput!, $instance: String) {\n    createTask(input: $input, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": typeof types.CreateTaskDocument,
    "\n  query StreamPosition {\n    events(last: 1) {\n      pageInfo {\n        endCursor\n      }\n    }\n  }\n": typeof types.StreamPositionDocument,
    "\n  fragment LiveEvent on TaskEvent {\n    cursor\n    instance\n    offset\n    type\n    at\n    ref\n    task {\n      ...TaskRow\n    }\n    data\n  }\n": typeof types.LiveEventFragmentDoc,
    "\n  subscription TaskEvents($after: String) {\n    taskEvents(after: $after) {\n      ...LiveEvent\n    }\n  }\n": typeof types.TaskEventsDocument,
};
const documents: Documents = {
    "\n  fragment InstanceRow on Instance {\n    name\n    url\n    role\n    state\n    version\n    mode\n    managedCount\n    sessionCount\n    probedAt\n    detail\n  }\n": types.InstanceRowFragmentDoc,
    "\n  query Fleet {\n    instances {\n      ...InstanceRow\n    }\n    health {\n      ingresses {\n        name\n        running\n      }\n    }\n  }\n": types.FleetDocument,
    "\n  mutation RegisterInstance($name: String!, $url: String!) {\n    registerInstance(name: $name, url: $url) {\n      written\n    }\n  }\n": types.RegisterInstanceDocument,
    "\n  mutation UnregisterInstance($name: String!) {\n    unregisterInstance(name: $name) {\n      written\n    }\n  }\n": types.UnregisterInstanceDocument,
    "\n  query InstanceIdentity($instance: String) {\n    instance(instance: $instance) {\n      managed {\n        ref\n        sources\n        instance\n      }\n    }\n  }\n": types.InstanceIdentityDocument,
    "\n  query Daemons {\n    daemons {\n      instance\n      name\n      running\n      lastCycleAt\n    }\n  }\n": types.DaemonsDocument,
    "\n  query InstanceHealth($instance: String) {\n    health(instance: $instance) {\n      status\n      version\n      role\n      configPath\n      stateRoot\n    }\n  }\n": types.InstanceHealthDocument,
    "\n  query InstanceConfig($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n    configSchema(instance: $instance)\n  }\n": types.InstanceConfigDocument,
    "\n  query ConfigFile($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n  }\n": types.ConfigFileDocument,
    "\n  mutation UpdateConfig($patch: JSON!, $instance: String) {\n    updateConfig(patch: $patch, instance: $instance) {\n      path\n      exists\n      changed\n      restartRequired\n      written\n      config\n    }\n  }\n": types.UpdateConfigDocument,
    "\n  mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {\n    controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {\n      exitCode\n      output\n    }\n  }\n": types.ControlDaemonDocument,
    "\n  mutation Restart($instance: String) {\n    restart(instance: $instance) {\n      scheduled\n      logfile\n    }\n  }\n": types.RestartDocument,
    "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    contextId\n    lifecycle\n    turns\n    queuedMessages\n    participants {\n      id\n      kind\n      role\n      displayName\n    }\n    settings {\n      model\n      effort\n    }\n    usage {\n      inputTokens\n      cachedTokens\n      outputTokens\n      cost\n      byModel {\n        model\n        inputTokens\n        outputTokens\n        cost\n      }\n    }\n    ...TaskLimits\n    plan {\n      steps {\n        ...PlanStep\n      }\n    }\n    description\n    acceptanceCriteria {\n      text\n      met\n    }\n    question {\n      ...Question\n    }\n    parent {\n      ...Relative\n    }\n    # More than a task can have.\n    children(first: 1000) {\n      ...Relative\n    }\n    origin {\n      ref\n      version\n    }\n  }\n": types.TaskDetailFragmentDoc,
    "\n  fragment TaskLimits on Task {\n    budget {\n      turns\n      tokens\n      cost\n    }\n    heldBy\n  }\n": types.TaskLimitsFragmentDoc,
    "\n  fragment Question on Question {\n    participant\n    text\n    options\n    messageId\n  }\n": types.QuestionFragmentDoc,
    "\n  fragment Relative on Task {\n    instance\n    ref\n    name\n    state\n    subState\n  }\n": types.RelativeFragmentDoc,
    "\n  fragment PlanStep on PlanStep {\n    id\n    name\n    description\n    state\n    output\n  }\n": types.PlanStepFragmentDoc,
    "\n  fragment HistoryEntry on HistoryItem {\n    __typename\n    ... on HistoryMessage {\n      id\n      role\n      participant\n      text\n      at\n    }\n    ... on HistoryToolCall {\n      id\n      callId\n      tool\n      arguments\n      at\n    }\n    ... on HistoryToolResult {\n      id\n      callId\n      tool\n      text\n      isError\n      at\n    }\n  }\n": types.HistoryEntryFragmentDoc,
    "\n  query TaskPane($ref: ID!, $instance: String, $first: Int!, $after: String) {\n    task(ref: $ref, instance: $instance) {\n      ...TaskDetail\n      history(first: $first, after: $after) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n": types.TaskPaneDocument,
    "\n  query PastTask($ref: ID!, $instance: String, $version: Int!, $last: Int!) {\n    task(ref: $ref, instance: $instance, atVersion: $version) {\n      ...TaskRow\n      plan {\n        steps {\n          ...PlanStep\n        }\n      }\n      history(last: $last) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasPreviousPage\n        }\n      }\n    }\n  }\n": types.PastTaskDocument,
    "\n  query Commands {\n    commands {\n      instance\n      name\n      description\n      usage\n    }\n  }\n": types.CommandsDocument,
    "\n  mutation SendMessage($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    sendMessage(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n      duplicate\n    }\n  }\n": types.SendMessageDocument,
    "\n  mutation RunCommand($ref: ID!, $instance: String, $text: String!) {\n    runCommand(ref: $ref, instance: $instance, text: $text) {\n      messageId\n      name\n      ok\n      text\n      error\n    }\n  }\n": types.RunCommandDocument,
    "\n  mutation AnswerQuestion($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    answerQuestion(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n    }\n  }\n": types.AnswerQuestionDocument,
    "\n  mutation PauseTask($ref: ID!, $instance: String) {\n    pauseTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": types.PauseTaskDocument,
    "\n  mutation ResumeTask($ref: ID!, $instance: String) {\n    resumeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": types.ResumeTaskDocument,
    "\n  mutation SetTaskBudget($ref: ID!, $instance: String, $budget: TaskBudgetInput!) {\n    setTaskBudget(ref: $ref, instance: $instance, budget: $budget) {\n      ...TaskRow\n    }\n  }\n": types.SetTaskBudgetDocument,
    "\n  mutation ForkTask($ref: ID!, $instance: String, $atVersion: Int!, $message: String, $messageId: ID!) {\n    forkTask(\n      ref: $ref\n      instance: $instance\n      atVersion: $atVersion\n      message: $message\n      messageId: $messageId\n    ) {\n      ...TaskRow\n    }\n  }\n": types.ForkTaskDocument,
    "\n  mutation CompleteTask($ref: ID!, $instance: String) {\n    completeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": types.CompleteTaskDocument,
    "\n  mutation CancelTask($ref: ID!, $instance: String) {\n    cancelTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": types.CancelTaskDocument,
    "\n  fragment TaskRow on Task {\n    instance\n    ref\n    id\n    state\n    subState\n    name\n    goal\n    lastReply\n    statusMessage\n    paused\n    createdAt\n    updatedAt\n    version\n  }\n": types.TaskRowFragmentDoc,
    "\n  query TaskList($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {\n      nodes {\n        ...TaskRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n": types.TaskListDocument,
    "\n  mutation CreateTask($input: CreateTaskInput!, $instance: String) {\n    createTask(input: $input, instance: $instance) {\n      ...TaskRow\n    }\n  }\n": types.CreateTaskDocument,
    "\n  query StreamPosition {\n    events(last: 1) {\n      pageInfo {\n        endCursor\n      }\n    }\n  }\n": types.StreamPositionDocument,
    "\n  fragment LiveEvent on TaskEvent {\n    cursor\n    instance\n    offset\n    type\n    at\n    ref\n    task {\n      ...TaskRow\n    }\n    data\n  }\n": types.LiveEventFragmentDoc,
    "\n  subscription TaskEvents($after: String) {\n    taskEvents(after: $after) {\n      ...LiveEvent\n    }\n  }\n": types.TaskEventsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment InstanceRow on Instance {\n    name\n    url\n    role\n    state\n    version\n    mode\n    managedCount\n    sessionCount\n    probedAt\n    detail\n  }\n"): (typeof documents)["\n  fragment InstanceRow on Instance {\n    name\n    url\n    role\n    state\n    version\n    mode\n    managedCount\n    sessionCount\n    probedAt\n    detail\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Fleet {\n    instances {\n      ...InstanceRow\n    }\n    health {\n      ingresses {\n        name\n        running\n      }\n    }\n  }\n"): (typeof documents)["\n  query Fleet {\n    instances {\n      ...InstanceRow\n    }\n    health {\n      ingresses {\n        name\n        running\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RegisterInstance($name: String!, $url: String!) {\n    registerInstance(name: $name, url: $url) {\n      written\n    }\n  }\n"): (typeof documents)["\n  mutation RegisterInstance($name: String!, $url: String!) {\n    registerInstance(name: $name, url: $url) {\n      written\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UnregisterInstance($name: String!) {\n    unregisterInstance(name: $name) {\n      written\n    }\n  }\n"): (typeof documents)["\n  mutation UnregisterInstance($name: String!) {\n    unregisterInstance(name: $name) {\n      written\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InstanceIdentity($instance: String) {\n    instance(instance: $instance) {\n      managed {\n        ref\n        sources\n        instance\n      }\n    }\n  }\n"): (typeof documents)["\n  query InstanceIdentity($instance: String) {\n    instance(instance: $instance) {\n      managed {\n        ref\n        sources\n        instance\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Daemons {\n    daemons {\n      instance\n      name\n      running\n      lastCycleAt\n    }\n  }\n"): (typeof documents)["\n  query Daemons {\n    daemons {\n      instance\n      name\n      running\n      lastCycleAt\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InstanceHealth($instance: String) {\n    health(instance: $instance) {\n      status\n      version\n      role\n      configPath\n      stateRoot\n    }\n  }\n"): (typeof documents)["\n  query InstanceHealth($instance: String) {\n    health(instance: $instance) {\n      status\n      version\n      role\n      configPath\n      stateRoot\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query InstanceConfig($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n    configSchema(instance: $instance)\n  }\n"): (typeof documents)["\n  query InstanceConfig($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n    configSchema(instance: $instance)\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query ConfigFile($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n  }\n"): (typeof documents)["\n  query ConfigFile($instance: String) {\n    config(instance: $instance) {\n      path\n      exists\n      config\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation UpdateConfig($patch: JSON!, $instance: String) {\n    updateConfig(patch: $patch, instance: $instance) {\n      path\n      exists\n      changed\n      restartRequired\n      written\n      config\n    }\n  }\n"): (typeof documents)["\n  mutation UpdateConfig($patch: JSON!, $instance: String) {\n    updateConfig(patch: $patch, instance: $instance) {\n      path\n      exists\n      changed\n      restartRequired\n      written\n      config\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {\n    controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {\n      exitCode\n      output\n    }\n  }\n"): (typeof documents)["\n  mutation ControlDaemon($daemon: String!, $verb: String!, $instance: String) {\n    controlDaemon(daemon: $daemon, verb: $verb, instance: $instance) {\n      exitCode\n      output\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation Restart($instance: String) {\n    restart(instance: $instance) {\n      scheduled\n      logfile\n    }\n  }\n"): (typeof documents)["\n  mutation Restart($instance: String) {\n    restart(instance: $instance) {\n      scheduled\n      logfile\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TaskDetail on Task {\n    ...TaskRow\n    contextId\n    lifecycle\n    turns\n    queuedMessages\n    participants {\n      id\n      kind\n      role\n      displayName\n    }\n    settings {\n      model\n      effort\n    }\n    usage {\n      inputTokens\n      cachedTokens\n      outputTokens\n      cost\n      byModel {\n        model\n        inputTokens\n        outputTokens\n        cost\n      }\n    }\n    ...TaskLimits\n    plan {\n      steps {\n        ...PlanStep\n      }\n    }\n    description\n    acceptanceCriteria {\n      text\n      met\n    }\n    question {\n      ...Question\n    }\n    parent {\n      ...Relative\n    }\n    # More than a task can have.\n    children(first: 1000) {\n      ...Relative\n    }\n    origin {\n      ref\n      version\n    }\n  }\n"): (typeof documents)["\n  fragment TaskDetail on Task {\n    ...TaskRow\n    contextId\n    lifecycle\n    turns\n    queuedMessages\n    participants {\n      id\n      kind\n      role\n      displayName\n    }\n    settings {\n      model\n      effort\n    }\n    usage {\n      inputTokens\n      cachedTokens\n      outputTokens\n      cost\n      byModel {\n        model\n        inputTokens\n        outputTokens\n        cost\n      }\n    }\n    ...TaskLimits\n    plan {\n      steps {\n        ...PlanStep\n      }\n    }\n    description\n    acceptanceCriteria {\n      text\n      met\n    }\n    question {\n      ...Question\n    }\n    parent {\n      ...Relative\n    }\n    # More than a task can have.\n    children(first: 1000) {\n      ...Relative\n    }\n    origin {\n      ref\n      version\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TaskLimits on Task {\n    budget {\n      turns\n      tokens\n      cost\n    }\n    heldBy\n  }\n"): (typeof documents)["\n  fragment TaskLimits on Task {\n    budget {\n      turns\n      tokens\n      cost\n    }\n    heldBy\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Question on Question {\n    participant\n    text\n    options\n    messageId\n  }\n"): (typeof documents)["\n  fragment Question on Question {\n    participant\n    text\n    options\n    messageId\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment Relative on Task {\n    instance\n    ref\n    name\n    state\n    subState\n  }\n"): (typeof documents)["\n  fragment Relative on Task {\n    instance\n    ref\n    name\n    state\n    subState\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment PlanStep on PlanStep {\n    id\n    name\n    description\n    state\n    output\n  }\n"): (typeof documents)["\n  fragment PlanStep on PlanStep {\n    id\n    name\n    description\n    state\n    output\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment HistoryEntry on HistoryItem {\n    __typename\n    ... on HistoryMessage {\n      id\n      role\n      participant\n      text\n      at\n    }\n    ... on HistoryToolCall {\n      id\n      callId\n      tool\n      arguments\n      at\n    }\n    ... on HistoryToolResult {\n      id\n      callId\n      tool\n      text\n      isError\n      at\n    }\n  }\n"): (typeof documents)["\n  fragment HistoryEntry on HistoryItem {\n    __typename\n    ... on HistoryMessage {\n      id\n      role\n      participant\n      text\n      at\n    }\n    ... on HistoryToolCall {\n      id\n      callId\n      tool\n      arguments\n      at\n    }\n    ... on HistoryToolResult {\n      id\n      callId\n      tool\n      text\n      isError\n      at\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskPane($ref: ID!, $instance: String, $first: Int!, $after: String) {\n    task(ref: $ref, instance: $instance) {\n      ...TaskDetail\n      history(first: $first, after: $after) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskPane($ref: ID!, $instance: String, $first: Int!, $after: String) {\n    task(ref: $ref, instance: $instance) {\n      ...TaskDetail\n      history(first: $first, after: $after) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasNextPage\n          endCursor\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PastTask($ref: ID!, $instance: String, $version: Int!, $last: Int!) {\n    task(ref: $ref, instance: $instance, atVersion: $version) {\n      ...TaskRow\n      plan {\n        steps {\n          ...PlanStep\n        }\n      }\n      history(last: $last) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasPreviousPage\n        }\n      }\n    }\n  }\n"): (typeof documents)["\n  query PastTask($ref: ID!, $instance: String, $version: Int!, $last: Int!) {\n    task(ref: $ref, instance: $instance, atVersion: $version) {\n      ...TaskRow\n      plan {\n        steps {\n          ...PlanStep\n        }\n      }\n      history(last: $last) {\n        nodes {\n          ...HistoryEntry\n        }\n        pageInfo {\n          hasPreviousPage\n        }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Commands {\n    commands {\n      instance\n      name\n      description\n      usage\n    }\n  }\n"): (typeof documents)["\n  query Commands {\n    commands {\n      instance\n      name\n      description\n      usage\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SendMessage($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    sendMessage(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n      duplicate\n    }\n  }\n"): (typeof documents)["\n  mutation SendMessage($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    sendMessage(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n      duplicate\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation RunCommand($ref: ID!, $instance: String, $text: String!) {\n    runCommand(ref: $ref, instance: $instance, text: $text) {\n      messageId\n      name\n      ok\n      text\n      error\n    }\n  }\n"): (typeof documents)["\n  mutation RunCommand($ref: ID!, $instance: String, $text: String!) {\n    runCommand(ref: $ref, instance: $instance, text: $text) {\n      messageId\n      name\n      ok\n      text\n      error\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation AnswerQuestion($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    answerQuestion(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n    }\n  }\n"): (typeof documents)["\n  mutation AnswerQuestion($ref: ID!, $instance: String, $text: String!, $messageId: ID!) {\n    answerQuestion(ref: $ref, instance: $instance, text: $text, messageId: $messageId) {\n      messageId\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation PauseTask($ref: ID!, $instance: String) {\n    pauseTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation PauseTask($ref: ID!, $instance: String) {\n    pauseTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ResumeTask($ref: ID!, $instance: String) {\n    resumeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation ResumeTask($ref: ID!, $instance: String) {\n    resumeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation SetTaskBudget($ref: ID!, $instance: String, $budget: TaskBudgetInput!) {\n    setTaskBudget(ref: $ref, instance: $instance, budget: $budget) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation SetTaskBudget($ref: ID!, $instance: String, $budget: TaskBudgetInput!) {\n    setTaskBudget(ref: $ref, instance: $instance, budget: $budget) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation ForkTask($ref: ID!, $instance: String, $atVersion: Int!, $message: String, $messageId: ID!) {\n    forkTask(\n      ref: $ref\n      instance: $instance\n      atVersion: $atVersion\n      message: $message\n      messageId: $messageId\n    ) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation ForkTask($ref: ID!, $instance: String, $atVersion: Int!, $message: String, $messageId: ID!) {\n    forkTask(\n      ref: $ref\n      instance: $instance\n      atVersion: $atVersion\n      message: $message\n      messageId: $messageId\n    ) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CompleteTask($ref: ID!, $instance: String) {\n    completeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation CompleteTask($ref: ID!, $instance: String) {\n    completeTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CancelTask($ref: ID!, $instance: String) {\n    cancelTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation CancelTask($ref: ID!, $instance: String) {\n    cancelTask(ref: $ref, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment TaskRow on Task {\n    instance\n    ref\n    id\n    state\n    subState\n    name\n    goal\n    lastReply\n    statusMessage\n    paused\n    createdAt\n    updatedAt\n    version\n  }\n"): (typeof documents)["\n  fragment TaskRow on Task {\n    instance\n    ref\n    id\n    state\n    subState\n    name\n    goal\n    lastReply\n    statusMessage\n    paused\n    createdAt\n    updatedAt\n    version\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query TaskList($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {\n      nodes {\n        ...TaskRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query TaskList($first: Int!, $after: String, $filter: TaskFilter) {\n    tasks(first: $first, after: $after, filter: $filter, orderBy: UPDATED_AT_DESC) {\n      nodes {\n        ...TaskRow\n      }\n      pageInfo {\n        hasNextPage\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  mutation CreateTask($input: CreateTaskInput!, $instance: String) {\n    createTask(input: $input, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"): (typeof documents)["\n  mutation CreateTask($input: CreateTaskInput!, $instance: String) {\n    createTask(input: $input, instance: $instance) {\n      ...TaskRow\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query StreamPosition {\n    events(last: 1) {\n      pageInfo {\n        endCursor\n      }\n    }\n  }\n"): (typeof documents)["\n  query StreamPosition {\n    events(last: 1) {\n      pageInfo {\n        endCursor\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  fragment LiveEvent on TaskEvent {\n    cursor\n    instance\n    offset\n    type\n    at\n    ref\n    task {\n      ...TaskRow\n    }\n    data\n  }\n"): (typeof documents)["\n  fragment LiveEvent on TaskEvent {\n    cursor\n    instance\n    offset\n    type\n    at\n    ref\n    task {\n      ...TaskRow\n    }\n    data\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  subscription TaskEvents($after: String) {\n    taskEvents(after: $after) {\n      ...LiveEvent\n    }\n  }\n"): (typeof documents)["\n  subscription TaskEvents($after: String) {\n    taskEvents(after: $after) {\n      ...LiveEvent\n    }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;