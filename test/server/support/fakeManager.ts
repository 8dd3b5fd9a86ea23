/** A manager whose gateway executes one schema itself, and says what a test wants it to say of its members. */
import type { GatewayInterface } from '@apollo/server-gateway-interface';
import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  lexicographicSortSchema,
  printSchema,
  subscribe,
} from 'graphql';
import type { FleetContext, Manager, MemberState } from '../../../gateway/index.ts';
import type { FakeWorker } from './FakeWorker.ts';

export interface FakeManagerOptions {
  readonly worker: FakeWorker;
  /** Called with the context of each request before it is executed. */
  readonly onRequest?: (context: FleetContext) => void;
  /** In place of executing. */
  readonly answer?: ExecutionResult;
  /** What the newest probes have found, the own half included. @default nothing */
  readonly states?: readonly { readonly member: { readonly name: string }; readonly state: MemberState }[];
}

export function fakeManager({ worker, onRequest, answer, states = [] }: FakeManagerOptions): Manager {
  const schema = worker.schema;
  const gateway: GatewayInterface = {
    onSchemaLoadOrUpdate(callback) {
      callback({ apiSchema: schema, coreSupergraphSdl: supergraphOf(schema) });
      return () => undefined;
    },
    async load() {
      return {
        executor: async ({ document, request, context }) => {
          onRequest?.(context as FleetContext);
          if (answer) return answer as never;
          return execute({
            schema,
            document,
            variableValues: request.variables,
            operationName: request.operationName,
            contextValue: context,
          }) as never;
        },
      };
    },
    async stop() {},
  };
  return {
    schema,
    gateway,
    registry: { ownName: 'alpha', snapshot: () => states } as never,
    streamStats: () => ({ subscribers: 0, upstreams: { open: 0, wanted: 0 }, members: [] }),
    subscribe: async ({ document, operationName, variables, context }) => {
      onRequest?.(context);
      return subscribe({ schema, document, operationName, variableValues: variables, contextValue: context });
    },
    async [Symbol.asyncDispose]() {},
  };
}

function supergraphOf(schema: GraphQLSchema): string {
  return printSchema(lexicographicSortSchema(buildSchema(printSchema(schema))));
}
