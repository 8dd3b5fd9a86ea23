/** A federation subgraph of somebody else, over HTTP on a free port. It can publish another schema, and misbehave. */
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, type GraphQLSchema, parse, validate } from 'graphql';

const FEDERATION =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@override", "@shareable"])';

/** Extends both entities of the fleet. */
export const REVIEWS = `
  extend type Task @key(fields: "instance ref") { instance: String! ref: ID! review: String }
  extend type Instance @key(fields: "name") { name: String! rack: String }
`;

export interface SubgraphRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What is done with a request in place of an answer. */
export type Answer = (response: ServerResponse, request: SubgraphRequest) => void;

const REVIEW_RESOLVERS = {
  Task: {
    __resolveReference: (key: unknown) => key,
    review: ({ instance, ref }: { instance: string; ref: string }) => `${ref} of ${instance} is fine`,
  },
  Instance: {
    __resolveReference: (key: unknown) => key,
    rack: ({ name }: { name: string }) => `rack of ${name}`,
  },
};

export class SubgraphServer implements AsyncDisposable {
  /** Of the data, not of the schema; oldest first. */
  readonly requests: SubgraphRequest[] = [];
  /** How often the schema was asked for. */
  reads = 0;
  readonly #server: Server;
  readonly #path: string;
  #schema: GraphQLSchema;
  #answer: Answer | undefined;

  private constructor(server: Server, path: string, sdl: string) {
    this.#server = server;
    this.#path = path;
    this.#schema = toSchema(sdl, REVIEW_RESOLVERS);
  }

  /** @param sdl without the federation link. */
  static async start({ sdl = REVIEWS, path = '/graphql' } = {}): Promise<SubgraphServer> {
    const server = createServer();
    const subgraph = new SubgraphServer(server, path, sdl);
    server.on('request', async (request, response) => {
      const { query, variables = {} } = (await json(request)) as Omit<SubgraphRequest, 'headers' | 'path'>;
      const asked = { path: request.url ?? '', headers: request.headers, query, variables };
      if (query.includes('_service')) subgraph.reads += 1;
      else subgraph.requests.push(asked);
      if (subgraph.#answer) subgraph.#answer(response, asked);
      else await subgraph.#execute(response, asked);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return subgraph;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`;
  }

  publish(sdl: string, resolvers: object = REVIEW_RESOLVERS): void {
    this.#schema = toSchema(sdl, resolvers);
  }

  /** Answers everything in this way until `behave`. */
  misbehave(answer: Answer): void {
    this.#answer = answer;
  }

  behave(): void {
    this.#answer = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #execute(response: ServerResponse, { query, variables }: SubgraphRequest): Promise<void> {
    const schema = this.#schema;
    const document = parse(query);
    const invalid = validate(schema, document);
    const result =
      invalid.length > 0
        ? { errors: invalid }
        : await execute({ schema, document, variableValues: variables, contextValue: {} });
    answerJson(response, result);
  }
}

export function answerJson(response: ServerResponse, body: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
}

function toSchema(sdl: string, resolvers: object): GraphQLSchema {
  return buildSubgraphSchema({ typeDefs: parse(`${FEDERATION}\n${sdl}`), resolvers: resolvers as never });
}
