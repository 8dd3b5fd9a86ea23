/** A2A over HTTP and JSON (A2A § 11). Pure. */

import { CallFailed } from '../CallFailed.ts';
import { formatTarget } from '../formatTarget.ts';
import { asRecord } from '../parseMemberJson.ts';
import type { A2ABinding } from './A2ABinding.ts';
import { A2AError, type A2AReason, reasonOfName } from './A2AError.ts';
import type { AgentInterface } from './judgeAgentCard.ts';

/** What a status says where no reason is told. */
const REASONS: Readonly<Record<number, A2AReason>> = {
  400: 'INVALID_PARAMS',
  404: 'TASK_NOT_FOUND',
  405: 'METHOD_NOT_FOUND',
  501: 'METHOD_NOT_FOUND',
};

export function createHttpJsonBinding({ path, tenant }: Pick<AgentInterface, 'path' | 'tenant'>): A2ABinding {
  const base = path.replace(/\/+$/, '') + (tenant === undefined ? '' : `/${encodeURIComponent(tenant)}`);
  return {
    toRequest({ name, params }) {
      switch (name) {
        case 'ListTasks':
          return { method: 'GET', path: formatTarget(`${base}/tasks`, { ...params }) };
        case 'GetTask': {
          const { id, ...query } = params;
          return { method: 'GET', path: formatTarget(taskPath(base, id), query) };
        }
        case 'SendMessage':
          return { method: 'POST', path: `${base}/message:send`, body: JSON.stringify(params) };
        case 'CancelTask': {
          const { id, ...body } = params;
          return { method: 'POST', path: `${taskPath(base, id)}:cancel`, body: JSON.stringify(body) };
        }
        case 'SubscribeToTask':
          return { method: 'POST', path: `${taskPath(base, params.id)}:subscribe`, body: '{}' };
      }
    },
    readResult({ status, isJson, body }) {
      if (status < 200 || status > 299) throw toError(status, body);
      if (!isJson) throw new CallFailed({ kind: 'malformed', reason: 'the answer is not JSON' });
      return body;
    },
    readStreamed(data) {
      const { code, ...error } = asRecord(asRecord(data)?.error) ?? {};
      if (typeof code === 'number') throw toError(code, { error });
      return data;
    },
  };
}

/** `:` is encoded as well, so that no id can be read as one with a verb behind it. */
function taskPath(base: string, id: string): string {
  return `${base}/tasks/${encodeURIComponent(id)}`;
}

/** A status that is none of the protocol's tells of access or capacity. */
function toError(status: number, body: unknown): A2AError | CallFailed {
  const { message, details } = asRecord(asRecord(body)?.error) ?? {};
  const told = Array.isArray(details) ? details.map((detail) => asRecord(detail)?.reason) : [];
  const reason = told.map(reasonOfName).find((known) => known !== 'INTERNAL') ?? REASONS[status];
  if (!reason) return new CallFailed({ kind: 'status', status, reason: `HTTP ${status}` });
  return new A2AError(reason, typeof message === 'string' ? message : '');
}
