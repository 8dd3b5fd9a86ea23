/**
 * What was said in an agent's task, as items of its history: the messages, and behind them the artifacts, which the protocol gives no
 * place among them. Pure.
 *
 * An artifact is what the agent said, under its name in brackets: text as it is, anything else by its media type, name and size. Nothing
 * is fetched, and no address of an agent's is shown.
 */
import type { Redactor } from '../../../lib/redact.ts';
import { cutText } from '../cutText.ts';
import type { HistoryItem } from '../toHistoryPage.ts';
import type { Row } from './A2ABinding.ts';
import type { Conversation } from './A2ACalls.ts';
import { redactedText, rowsOf, textOfMessage } from './readRemoteTask.ts';

/** Most artifacts of one task that are shown. */
const MAX_ARTIFACTS = 256;
/** Most parts of one artifact that are shown. */
const MAX_PARTS = 256;
/** Longest name or media type that is shown, in characters. */
const MAX_NAME = 200;

/** Neither messages nor artifacts tell a time of their own. */
const NO_TIME = new Date(0).toISOString();

/** Texts are read when they are asked for: a page needs few of them. */
export function toHistoryItems(
  { messages, artifacts }: Pick<Conversation, 'messages' | 'artifacts'>,
  redact: Redactor,
): readonly HistoryItem[] {
  const hidden = artifacts.length - MAX_ARTIFACTS;
  const said = [
    ...messages.map((message) => ({
      role: message.role === 'ROLE_AGENT' ? 'ASSISTANT' : 'USER',
      text: () => textOfMessage(message, redact) ?? '',
    })),
    ...artifacts.slice(0, MAX_ARTIFACTS).map((artifact) => ({
      role: 'ASSISTANT',
      text: () => redactedText(textOfArtifact(artifact), redact),
    })),
    ...(hidden > 0 ? [{ role: 'NOTE', text: `[${hidden} more artifacts are not shown]` }] : []),
  ];
  return said.map((item, index) => ({
    __typename: 'HistoryMessage',
    id: index + 1,
    participant: null,
    at: NO_TIME,
    ...item,
  }));
}

function textOfArtifact({ artifactId, name, description, parts }: Row): string {
  const shown = rowsOf(parts);
  const hidden = shown.length - MAX_PARTS;
  return [
    inBrackets('artifact', [quoted(name) ?? quoted(artifactId)]),
    ...(typeof description === 'string' && description !== '' ? [description] : []),
    ...shown.slice(0, MAX_PARTS).map(textOfPart),
    ...(hidden > 0 ? [`[${hidden} more parts are not shown]`] : []),
  ].join('\n');
}

function textOfPart({ text, raw, url, data, filename, mediaType }: Row): string {
  if (typeof text === 'string') return text;
  const facts = [quoted(filename), typeof mediaType === 'string' ? oneLine(mediaType) : undefined];
  if (typeof raw === 'string') return inBrackets('file', [...facts, bytes(decodedLength(raw))]);
  if (typeof url === 'string') return inBrackets('file', [...facts, 'kept elsewhere']);
  if (data !== undefined)
    return inBrackets('data', [...facts, bytes(Buffer.byteLength(JSON.stringify(data)))]);
  return inBrackets('part of an unknown kind', facts);
}

function inBrackets(kind: string, facts: readonly (string | undefined)[]): string {
  const known = facts.filter((fact) => fact !== undefined);
  return known.length === 0 ? `[${kind}]` : `[${kind} ${known.join(', ')}]`;
}

function quoted(name: unknown): string | undefined {
  return typeof name === 'string' && name !== '' ? `"${oneLine(name)}"` : undefined;
}

function oneLine(value: string): string {
  return cutText(value, MAX_NAME).replaceAll(/[\s\p{Cc}]+/gu, ' ');
}

function bytes(count: number): string {
  return `${count} bytes`;
}

/** Of base64, with padding or without. */
function decodedLength(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4);
}
