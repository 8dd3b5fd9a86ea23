/** What the one worker of the demonstration says to each operation of the page. */

import { matchesTaskFilter } from '../features/tasks/filter.ts';
import type {
  CommandsQuery,
  ConfigFileQuery,
  DaemonsQuery,
  FleetQuery,
  InstanceConfigQuery,
  InstanceHealthQuery,
  InstanceIdentityQuery,
  PastTaskQuery,
  StreamPositionQuery,
  TaskListQuery,
  TaskListQueryVariables,
  TaskPaneQuery,
} from '../gql/graphql.ts';
import { DEMO_NAME, type DemoTask, demoTasks } from './demoTasks.ts';

export interface DemoRequest {
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** An answer in the form of GraphQL over HTTP. */
export type DemoAnswer =
  | { readonly data: object }
  | {
      readonly errors: readonly {
        readonly message: string;
        readonly extensions: { readonly code: string };
      }[];
    };

const VERSION = 'demo';
const CONFIG_PATH = '/demo/flotilla.yaml';

/** A worker says the same. */
const REGISTRY_REFUSAL = 'Cannot change registry: "instance.role" is "worker", a manager is expected';
const REFUSAL = 'Cannot change anything: this is a demonstration, an instance that runs is expected';

export function answerDemo({ operationName = '', variables = {} }: DemoRequest, nowMs: number): DemoAnswer {
  const tasks = demoTasks(nowMs);
  const task = tasks.find(({ row }) => row.ref === variables.ref);
  switch (operationName) {
    case 'StreamPosition':
      return { data: { events: { pageInfo: { endCursor: '0' } } } satisfies StreamPositionQuery };
    case 'Fleet':
      return { data: fleet(tasks, nowMs) };
    case 'TaskList':
      return { data: taskList(tasks, variables as TaskListQueryVariables) };
    case 'TaskPane':
      return { data: { task: task ? toDetail(task) : null } satisfies TaskPaneQuery };
    case 'PastTask':
      return { data: { task: task ? toPast(task) : null } satisfies PastTaskQuery };
    case 'Commands':
      return { data: COMMANDS };
    case 'InstanceIdentity':
      return { data: identity(tasks) };
    case 'Daemons':
      return { data: daemons(nowMs) };
    case 'InstanceHealth':
      return { data: HEALTH };
    case 'InstanceConfig':
      return { data: CONFIG };
    case 'ConfigFile':
      return { data: { config: CONFIG.config } satisfies ConfigFileQuery };
    case 'RegisterInstance':
    case 'UnregisterInstance':
      return refusal(REGISTRY_REFUSAL, 'BAD_USER_INPUT');
    default:
      return refusal(REFUSAL, 'NOT_SUPPORTED');
  }
}

function refusal(message: string, code: string): DemoAnswer {
  return { errors: [{ message, extensions: { code } }] };
}

function fleet(tasks: readonly DemoTask[], nowMs: number): FleetQuery {
  return {
    instances: [
      {
        name: DEMO_NAME,
        url: 'http://127.0.0.1:4114',
        role: 'WORKER',
        state: 'LIVE',
        version: VERSION,
        mode: 'open',
        managedCount: tasks.length,
        sessionCount: tasks.length,
        probedAt: new Date(nowMs).toISOString(),
        detail: null,
      },
    ],
    health: { ingresses: daemons(nowMs).daemons.map(({ name, running }) => ({ name, running })) },
  };
}

function taskList(tasks: readonly DemoTask[], { filter }: TaskListQueryVariables): TaskListQuery {
  const nodes = tasks.map(({ row }) => row).filter((row) => matchesTaskFilter(row, filter ?? {}));
  return { tasks: { nodes, pageInfo: { hasNextPage: false, endCursor: null } } };
}

function toDetail({ row, detail, history }: DemoTask): NonNullable<TaskPaneQuery['task']> {
  return {
    ...row,
    ...detail,
    history: { nodes: history, pageInfo: { hasNextPage: false, endCursor: null } },
  };
}

/** The demonstration keeps no versions: the past is the present. */
function toPast({ row, detail, history }: DemoTask): NonNullable<PastTaskQuery['task']> {
  return { ...row, plan: detail.plan, history: { nodes: history, pageInfo: { hasPreviousPage: false } } };
}

function identity(tasks: readonly DemoTask[]): InstanceIdentityQuery {
  const managed = tasks.map(({ row }) => ({ ref: row.ref, sources: ['session'], instance: null }));
  return { instance: { managed } };
}

function daemons(nowMs: number): DaemonsQuery {
  const lastCycleAt = new Date(nowMs).toISOString();
  return {
    daemons: [
      { instance: DEMO_NAME, name: 'heartbeat', running: true, lastCycleAt },
      { instance: DEMO_NAME, name: 'engine', running: true, lastCycleAt: null },
    ],
  };
}

const COMMANDS: CommandsQuery = {
  commands: [
    { instance: DEMO_NAME, name: 'help', usage: '/help', description: 'List the commands' },
    { instance: DEMO_NAME, name: 'status', usage: '/status', description: 'Say what the task is doing' },
  ],
};

const HEALTH: InstanceHealthQuery = {
  health: {
    status: 'ok',
    version: VERSION,
    role: 'WORKER',
    configPath: CONFIG_PATH,
    stateRoot: '/demo/state',
  },
};

/** A part of the real schema, enough to see every kind of setting. */
const CONFIG: InstanceConfigQuery = {
  config: { path: CONFIG_PATH, exists: true, config: { instance: { name: DEMO_NAME } } },
  configSchema: {
    type: 'object',
    properties: {
      instance: {
        description: 'Who this instance is.',
        properties: {
          name: { type: 'string', default: '', description: 'Name of the instance in a fleet.' },
          role: {
            enum: ['worker', 'manager'],
            default: 'worker',
            description: 'What the instance is.',
            'x-restart-required': true,
          },
          scope: {
            properties: {
              workItems: {
                type: 'array',
                items: { type: 'string' },
                default: [],
                description: 'Refs that the instance answers for.',
              },
            },
          },
        },
      },
      tasks: {
        description: 'How tasks run.',
        properties: {
          maxTurns: { type: 'integer', minimum: 1, default: 50, description: 'Most turns in a row.' },
        },
      },
    },
  },
};
