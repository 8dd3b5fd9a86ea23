/** What a message of A2A is for its task: a text, a command, an envelope, a completion (spec/worker.md §§ 4.1, 5.4–5.6). Pure. */
import { z } from 'zod';
import { checkId, checkMessageId, checkText, type Envelope, type NewInput } from '../../subgraph/index.ts';
import { A2AError } from './A2AError.ts';
import { type PartKind, partKindOf } from './extensions.ts';
import type { MessageParams } from './params.ts';
import type { Row } from './wire.ts';

/** Of data that does not say what it is. */
const ANY_DATA = 'application/json';

/** Deepest nesting of an envelope. */
const MAX_DEPTH = 32;

const CommandData = z.strictObject({ name: z.string(), args: z.string().default('') });

const EventData = z.strictObject({
  kind: z.enum(['task', 'status_update', 'artifact_update']),
  payload: z
    .record(z.string(), z.unknown())
    .refine((payload) => isWithinDepth(payload, MAX_DEPTH), `nested at most ${MAX_DEPTH} deep is expected`),
});

const StatusData = z.strictObject({ action: z.literal('complete'), text: z.string().default('') });

const ChannelData = z.strictObject({
  channel_id: z.string(),
  sender: z.string(),
  kind: z.enum(['message', 'help_request', 'help_reply']),
  text: z.string().default(''),
  parts: z.array(z.unknown()).default([]),
  in_reply_to: z.string().nullish(),
});

const ENVELOPE_KINDS = {
  task: 'task',
  status_update: 'statusUpdate',
  artifact_update: 'artifactUpdate',
} as const satisfies Record<string, Envelope['kind']>;

type ChannelFacts = NonNullable<Extract<NewInput, { kind: 'messageReceived' }>['channel']>;

/** Who says what. */
export interface ReadMessage {
  readonly messageId: string;
  readonly participant: string;
  /** Whether the sender calls itself an agent; it counts when it becomes the reporter of a new task. */
  readonly isAgent: boolean;
  readonly interrupt: boolean;
  /** As it goes to the task: a command starts with a slash, and an ordinary text that does so has a second one. */
  readonly text: string;
  readonly envelope?: Envelope;
  readonly channel?: ChannelFacts;
  /** The message completes the task, with this text or without one. */
  readonly completion?: { readonly text: string };
}

/**
 * @param asserted whom the header of the request asserts.
 * @throws {A2AError} INVALID_PARAMS when nobody or two people are asserted, or a part is wrong. CONTENT_TYPE_NOT_SUPPORTED for a file
 * and for a media type that is not taken: the standard has a reason of its own for those bad parts of spec/worker.md § 7.6.
 * @throws {FlotillaError} BAD_USER_INPUT for an id or a text that cannot be taken.
 */
export function readMessage(message: MessageParams, asserted: string | undefined): ReadMessage {
  const { metadata = {}, parts } = message;
  const participant = senderOf(metadata, asserted);
  const data = parts.flatMap((part, index) => readData(part, index));
  const only = (kind: PartKind): Row | undefined => onlyOne(data, kind);
  const command = read(CommandData, 'command', only('command'));
  const event = read(EventData, 'event', only('event'));
  const status = read(StatusData, 'status', only('status'));
  const channel = read(ChannelData, 'channel', only('channel'));
  if (channel && channel.sender !== participant) {
    throw invalid(`the channel part is of "${channel.sender}", its sender "${participant}" is expected`);
  }
  const written = parts.flatMap(({ text }) => text ?? []).join('\n') || (channel?.text ?? '');
  const text = command
    ? `/${command.name} ${command.args}`
    : data.length > 0 && written.trimStart().startsWith('/')
      ? `/${written.trimStart()}`
      : written;
  return {
    messageId: checkMessageId(message.messageId),
    participant,
    isAgent: metadata.participant_kind === 'agent',
    interrupt: metadata.interrupt === true,
    // What says something else may go without a text.
    text: event || status ? text : checkText('message', text),
    ...(event && {
      envelope: { kind: ENVELOPE_KINDS[event.kind], payload: event.payload as Envelope['payload'] },
    }),
    ...(channel && { channel: toChannelFacts(channel) }),
    ...(status && { completion: { text: status.text || text } }),
  };
}

/** By the header or by the message, which may not name somebody else than the perimeter has let in. */
function senderOf(metadata: Row, asserted: string | undefined): string {
  const claimed = typeof metadata.participant_id === 'string' ? metadata.participant_id : '';
  if (asserted !== undefined && claimed !== '' && claimed !== asserted) {
    throw invalid('header and metadata name different participants, one is expected');
  }
  const participant = asserted ?? claimed;
  if (participant === '') {
    throw invalid('it asserts no participant, X-Participant-Id or metadata.participant_id is expected');
  }
  return checkId(participant);
}

interface DataPart {
  readonly kind: PartKind;
  readonly data: Row;
}

function readData(part: MessageParams['parts'][number], index: number): readonly DataPart[] {
  const { text, data, raw, url, mediaType = '' } = part;
  if (raw != null || url != null) throw unsupported(`part ${index} is a file, a text or data is expected`);
  if (data === undefined) {
    if (text !== undefined) return [];
    throw invalid(`part ${index} is empty, a text or data is expected`);
  }
  const kind = partKindOf(mediaType);
  if (!kind || kind === 'task') {
    const given = mediaType || ANY_DATA;
    throw unsupported(`part ${index} is of the media type "${given}", one of the agent card is expected`);
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw invalid(`part ${index} is no object, one is expected`);
  }
  return [{ kind, data: data as Row }];
}

function onlyOne(parts: readonly DataPart[], kind: PartKind): Row | undefined {
  const [first, ...more] = parts.filter((part) => part.kind === kind);
  if (more.length > 0) throw invalid(`it has several ${kind} parts, at most one is expected`);
  return first?.data;
}

function read<Schema extends z.ZodType>(
  schema: Schema,
  kind: PartKind,
  data: Row | undefined,
): z.infer<Schema> | undefined {
  if (data === undefined) return undefined;
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw invalid(`its ${kind} part is wrong at "${issue?.path.join('.')}", ${issue?.message}`);
}

function toChannelFacts({ channel_id, kind, in_reply_to }: z.infer<typeof ChannelData>): ChannelFacts {
  return { channelId: channel_id, kind, ...(in_reply_to && { inReplyTo: in_reply_to }) };
}

function isWithinDepth(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth > 0 && Object.values(value).every((each) => isWithinDepth(each, depth - 1));
}

function invalid(problem: string): A2AError {
  return new A2AError('INVALID_PARAMS', `Cannot take message: ${problem}`);
}

function unsupported(problem: string): A2AError {
  return new A2AError('CONTENT_TYPE_NOT_SUPPORTED', `Cannot take message: ${problem}`);
}
