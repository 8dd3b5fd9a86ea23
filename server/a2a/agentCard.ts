/** What the instance tells of itself to agents and their clients (A2A § 8, spec/worker.md § 7.2). Pure. */
import type { CommandDefinition } from '../../subgraph/index.ts';
import { COMMANDS_EXTENSION, EXTENSIONS, mediaTypeOf } from './extensions.ts';
import { PROTOCOL_VERSION } from './readCall.ts';
import type { Row } from './wire.ts';

const DESCRIPTION =
  'An instance of Flotilla: durable tasks that wait for their participants, with slash commands, sub-tasks and questions.';

export interface CardFacts {
  /** Of the instance; may be empty. */
  readonly name: string;
  readonly version: string;
  /** Where both bindings are. */
  readonly url: string;
  readonly commands: readonly Pick<CommandDefinition, 'name' | 'description' | 'usage'>[];
  /** Callers need a bearer token. */
  readonly needsToken: boolean;
  readonly pushNotifications: boolean;
}

/** In the JSON form of the protocol. */
export function toAgentCard({ name, version, url, commands, needsToken, pushNotifications }: CardFacts): Row {
  const written = ['task', 'channel', 'status', 'command'] as const;
  const outputModes = ['text/plain', ...written.map(mediaTypeOf)];
  return {
    name: name || 'flotilla',
    description: DESCRIPTION,
    version,
    supportedInterfaces: (['JSONRPC', 'HTTP+JSON'] as const).map((protocolBinding) => ({
      url,
      protocolBinding,
      protocolVersion: PROTOCOL_VERSION,
    })),
    capabilities: {
      streaming: true,
      pushNotifications,
      extensions: Object.entries(EXTENSIONS).map(([uri, description]) => ({
        uri,
        description,
        required: false,
        ...(uri === COMMANDS_EXTENSION && { params: { commands: commands.map(toListing) } }),
      })),
    },
    defaultInputModes: [...outputModes, mediaTypeOf('event')],
    defaultOutputModes: outputModes,
    skills: [
      {
        id: 'tasks',
        name: 'Tasks',
        description:
          'Works on what a message asks for, and waits for the next one until the task is completed.',
        tags: ['tasks', 'conversation'],
      },
    ],
    ...(needsToken && {
      securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
      securityRequirements: [{ schemes: { bearer: { list: [] } } }],
    }),
  };
}

function toListing({ name, description, usage }: CardFacts['commands'][number]): Row {
  return { name, description, usage };
}
