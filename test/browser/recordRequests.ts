/** What a page asks its instance. */
import type { Page } from 'playwright-core';

export interface RecordedRequest {
  readonly operation: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Every GraphQL request over HTTP from now on, in its order; the list grows. */
export function recordRequests(page: Page): readonly RecordedRequest[] {
  const requests: RecordedRequest[] = [];
  page.on('request', (request) => {
    if (request.method() !== 'POST' || !new URL(request.url()).pathname.endsWith('/graphql')) return;
    const { operationName, variables = {} } = request.postDataJSON();
    requests.push({ operation: operationName, variables });
  });
  return requests;
}
