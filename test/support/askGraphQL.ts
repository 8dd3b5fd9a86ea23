/** GraphQL over HTTP as any client speaks it. */

export interface GraphQLAnswer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape that it asked for, and asserts it.
  readonly data: any;
  readonly errors:
    | readonly { readonly message: string; readonly extensions: Readonly<Record<string, unknown>> }[]
    | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  readonly extensions: any;
}

export async function askGraphQL(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<GraphQLAnswer> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors, extensions } = (await response.json()) as Omit<GraphQLAnswer, 'status' | 'headers'>;
  return { status: response.status, headers: response.headers, data, errors, extensions };
}

/** The data of an answer without errors. */
export async function readGraphQL(
  url: string,
  query: string,
  variables: Readonly<Record<string, unknown>> = {},
): Promise<GraphQLAnswer['data']> {
  const { data, errors } = await askGraphQL(url, query, variables);
  if (errors) throw new Error(`The answer has errors: ${JSON.stringify(errors)}`);
  return data;
}
