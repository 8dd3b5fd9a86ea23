/** Parameters of the operations, in the JSON form of A2A 1.0 (A2A § 3.1). What is not known is passed over, as the standard wants it. */
import { z } from 'zod';
import { A2A_STATES } from '../../subgraph/index.ts';
import { A2AError } from './A2AError.ts';

/** Most tasks of one page (A2A § 3.1.4). */
const MAX_PAGE_SIZE = 100;

/** Most entries of a history that are told with a task; the newest ones. */
const MAX_HISTORY_LENGTH = 1_000;

/** Longest id, in characters. */
const MAX_ID_LENGTH = 200;

const Metadata = z.record(z.string(), z.unknown());
const Id = z
  .string()
  .min(1)
  .max(MAX_ID_LENGTH)
  .regex(/^\P{Cc}*$/u, 'no control characters are expected');
const HistoryLength = maybe(
  z
    .int()
    .min(0)
    .transform((length) => Math.min(length, MAX_HISTORY_LENGTH)),
);

const Part = z.object({
  text: maybe(z.string()),
  data: z.unknown().optional(),
  raw: z.unknown().optional(),
  url: z.unknown().optional(),
  mediaType: maybe(z.string().max(MAX_ID_LENGTH)),
});

const Message = z.object({
  messageId: Id,
  role: maybe(z.enum(['ROLE_USER', 'user', 'ROLE_UNSPECIFIED'])),
  contextId: filled(Id),
  taskId: filled(Id),
  parts: z.array(Part).min(1).max(1_000),
  metadata: maybe(Metadata),
});

const PushFields = {
  id: filled(Id),
  url: z.string().min(1),
  token: filled(z.string()),
  authentication: maybe(z.object({ scheme: z.string().min(1), credentials: filled(z.string()) })),
};

export const SendParams = z.object({
  message: Message,
  configuration: maybe(
    z.object({
      historyLength: HistoryLength,
      returnImmediately: maybe(z.boolean()),
      taskPushNotificationConfig: maybe(z.object(PushFields)),
    }),
  ),
});

export const GetParams = z.object({ id: Id, historyLength: HistoryLength });

export const ListParams = z.object({
  contextId: filled(Id),
  status: maybe(
    z.enum(['TASK_STATE_UNSPECIFIED', ...A2A_STATES.map((state) => `TASK_STATE_${state}` as const)]),
  ),
  pageSize: maybe(z.int().min(1).max(MAX_PAGE_SIZE)),
  pageToken: filled(z.string()),
  historyLength: HistoryLength,
  statusTimestampAfter: filled(z.iso.datetime({ offset: true })),
});

export const CancelParams = z.object({ id: Id, metadata: maybe(Metadata) });

export const SubscribeParams = z.object({ id: Id });

export const CreatePushParams = z.object({ taskId: Id, ...PushFields });

export const PushParams = z.object({ taskId: Id, id: Id });

export const ListPushParams = z.object({ taskId: Id });

export type SendParams = z.infer<typeof SendParams>;
export type MessageParams = z.infer<typeof Message>;
export type GetParams = z.infer<typeof GetParams>;
export type ListParams = z.infer<typeof ListParams>;
export type CancelParams = z.infer<typeof CancelParams>;

/** @throws {A2AError} INVALID_PARAMS that names what is wrong first. */
export function readParams<Schema extends z.ZodType>(schema: Schema, params: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'params';
  throw new A2AError('INVALID_PARAMS', `Cannot read params: "${place}" is not accepted, ${issue?.message}`);
}

/** `null` is absent, as ProtoJSON has it. */
function maybe<Schema extends z.ZodType>(schema: Schema) {
  return schema.nullish().transform((value) => value ?? undefined);
}

/** So is an empty text. */
function filled<Schema extends z.ZodType<string>>(schema: Schema) {
  return z.preprocess((value) => (value === '' ? undefined : value), maybe(schema));
}
