/** GraphiQL against the page's own instance; nothing is loaded from elsewhere. */
import { GraphiQL, type GraphiQLProps } from 'graphiql';
import 'graphiql/setup-workers/vite';
import 'graphiql/style.css';
import { getOperationAST } from 'graphql';
import { createClient } from 'graphql-ws';
import { createRoot } from 'react-dom/client';
import './graphiql.css';

const endpoint = new URL('graphql', document.baseURI);
const socketUrl = new URL(endpoint);
socketUrl.protocol = endpoint.protocol === 'https:' ? 'wss:' : 'ws:';
const socket = createClient({ url: socketUrl.href });

const fetcher: GraphiQLProps['fetcher'] = async (request, options) => {
  const operation = options?.documentAST && getOperationAST(options.documentAST, request.operationName);
  if (operation?.operation === 'subscription') return socket.iterate(request);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      ...options?.headers,
      'content-type': 'application/json',
      accept: 'application/graphql-response+json, application/json',
    },
    body: JSON.stringify(request),
  });
  return response.json();
};

createRoot(document.getElementById('root')!).render(<GraphiQL fetcher={fetcher} />);
