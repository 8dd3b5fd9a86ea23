/** The client of the protocol's own library, over one of its bindings, as one participant. */
import { Role, type SendMessageRequest } from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';

export interface OfficialClient {
  readonly client: Client;
  /** What every call needs that is not of the protocol. */
  readonly options: { readonly serviceParameters: Record<string, string> };
  /** A message for a new task, or for the one with this id. */
  message(text: string, taskId?: string): SendMessageRequest;
}

/** Chooses the interface by the card of the agent at `url`. */
export async function openOfficialClient(
  url: string,
  binding: 'JSONRPC' | 'HTTP+JSON',
  participant: string,
): Promise<OfficialClient> {
  const factory = new ClientFactory(
    ClientFactoryOptions.createFrom(ClientFactoryOptions.default, { preferredTransports: [binding] }),
  );
  return {
    client: await factory.createFromUrl(url),
    options: { serviceParameters: { 'X-Participant-Id': participant } },
    message: (text, taskId = '') => ({
      tenant: '',
      message: {
        messageId: crypto.randomUUID(),
        contextId: '',
        taskId,
        role: Role.ROLE_USER,
        parts: [
          { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' },
        ],
        metadata: undefined,
        extensions: [],
        referenceTaskIds: [],
      },
      configuration: undefined,
      metadata: undefined,
    }),
  };
}
