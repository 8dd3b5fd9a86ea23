/** Paths of the HTTP+JSON binding, as operations and their parameters (A2A § 11.3). Pure. */
import type { Row } from './wire.ts';

export interface Route {
  /** Name of the operation. */
  readonly method: string;
  readonly params: unknown;
}

export interface HttpTarget {
  /** Behind the base, decoded, without a leading slash. */
  readonly path: string;
  readonly query: Row;
  readonly body: unknown;
}

/** Query parameters that are numbers. */
const NUMBERS: ReadonlySet<string> = new Set(['historyLength', 'pageSize']);

/** Undefined when no operation has this method and path. */
export function matchHttpRoute(httpMethod: string, { path, query, body }: HttpTarget): Route | undefined {
  const key = `${httpMethod} ${path}`;
  if (key === 'POST message:send') return { method: 'SendMessage', params: body };
  if (key === 'POST message:stream') return { method: 'SendStreamingMessage', params: body };
  if (key === 'GET extendedAgentCard') return { method: 'GetExtendedAgentCard', params: {} };
  if (key === 'GET tasks') return { method: 'ListTasks', params: fromQuery(query) };
  const [root, target = '', collection, ...rest] = path.split('/');
  if (root !== 'tasks' || target === '') return undefined;
  if (collection === undefined) return matchTask(httpMethod, target, { query, body });
  // Its client has chosen the id, which may have slashes.
  const configId = rest.length === 0 ? undefined : rest.join('/');
  if (collection !== 'pushNotificationConfigs' || configId === '') return undefined;
  return matchPush(httpMethod, { taskId: target, configId, body });
}

function matchTask(
  httpMethod: string,
  target: string,
  { query, body }: Omit<HttpTarget, 'path'>,
): Route | undefined {
  // No id of ours has a colon.
  const [id = '', verb, ...more] = target.split(':');
  if (id === '' || more.length > 0) return undefined;
  switch (`${httpMethod} ${verb ?? ''}`) {
    case 'GET ':
      return { method: 'GetTask', params: { ...fromQuery(query), id } };
    case 'POST cancel':
      return { method: 'CancelTask', params: { ...rowOf(body), id } };
    case 'GET subscribe':
    case 'POST subscribe':
      return { method: 'SubscribeToTask', params: { id } };
    default:
      return undefined;
  }
}

function matchPush(
  httpMethod: string,
  {
    taskId,
    configId: id,
    body,
  }: { readonly taskId: string; readonly configId: string | undefined; readonly body: unknown },
): Route | undefined {
  switch (`${httpMethod} ${id === undefined ? 'all' : 'one'}`) {
    case 'POST all':
      return { method: 'CreateTaskPushNotificationConfig', params: { ...rowOf(body), taskId } };
    case 'GET all':
      return { method: 'ListTaskPushNotificationConfigs', params: { taskId } };
    case 'GET one':
      return { method: 'GetTaskPushNotificationConfig', params: { taskId, id } };
    case 'DELETE one':
      return { method: 'DeleteTaskPushNotificationConfig', params: { taskId, id } };
    default:
      return undefined;
  }
}

function fromQuery(query: Row): Row {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      NUMBERS.has(name) && typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
    ]),
  );
}

function rowOf(value: unknown): Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Row) : {};
}
