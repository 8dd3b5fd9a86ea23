/** The two requests of a probe over HTTP; the second one only to whom the first one proved to be the member (spec/manager.md § 5.1). */
import type { HttpAnswer, HttpConnection } from './HttpConnection.ts';
import { judgeIdentity } from './judgeIdentity.ts';
import type { IdentityAnswer, MemberCallOptions, MemberResult } from './Member.ts';
import { answered } from './memberFailure.ts';
import { asRecord } from './parseMemberJson.ts';

/** Longest text of a member that is shown, in characters. */
const MAX_DETAIL = 200;
const MAX_VERSION = 64;

export async function readIdentity(
  connection: HttpConnection,
  registeredName: string,
  { signal }: MemberCallOptions,
): Promise<MemberResult<IdentityAnswer>> {
  const result = await connection.send({ method: 'GET', path: '/api/v1/instance', signal });
  if (result.kind === 'failure') {
    const { kind, reason } = result.failure;
    return kind === 'malformed' ? answered({ kind, reason }) : result;
  }
  const { status, isJson, body } = result.answer;
  if (status < 200 || status > 299) {
    return answered({ kind: 'status', status, isJson, detail: detailOf(result.answer) });
  }
  if (!isJson) return answered({ kind: 'malformed', reason: 'the answer is not JSON' });
  const isAccepted = judgeIdentity(registeredName, body).kind === 'accepted';
  return answered({
    kind: 'document',
    body,
    version: isAccepted ? await readVersion(connection, signal) : '',
  });
}

/** Empty when the member does not tell it: a member that answers to its name is live without a version. */
async function readVersion(connection: HttpConnection, signal: AbortSignal): Promise<string> {
  const result = await connection.send({ method: 'GET', path: '/api/v1/health', signal });
  const version = result.kind === 'answer' ? asRecord(result.answer.body)?.version : undefined;
  return typeof version === 'string' ? oneLine(version, MAX_VERSION) : '';
}

/** Of a body that is no identity only a string `detail` may be shown. */
function detailOf({ body }: HttpAnswer): string {
  const detail = asRecord(body)?.detail;
  return typeof detail === 'string' ? oneLine(detail, MAX_DETAIL) : '';
}

function oneLine(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
