/** The connection to a Temporal cluster, or to the server of embedded mode: one for calls, one for the worker. */
import { Client, Connection, type TLSConfig } from '@temporalio/client';
import type { DataConverter } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { messageOf } from '../../../lib/messageOf.ts';
import { FlotillaError } from '../../../schema/errors.ts';

/** A cluster that was away for long is back soon after its return; by default it may take two minutes. */
const CHANNEL = { 'grpc.max_reconnect_backoff_ms': 5_000 };

export interface ClusterOptions {
  /** `host:port` */
  readonly address: string;
  readonly namespace: string;
  /** How the connection is encrypted; false: it is not. */
  readonly tls: TLSConfig | false;
  readonly apiKey?: string;
  /** Names this process in Temporal's histories. */
  readonly identity: string;
  /** @default Temporal's own */
  readonly dataConverter?: DataConverter;
}

export interface Cluster extends AsyncDisposable {
  readonly client: Client;
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly identity: string;
  readonly dataConverter: DataConverter | undefined;
}

/** @throws {FlotillaError} UNAVAILABLE when the address does not answer, or refuses. */
export async function connectCluster(options: ClusterOptions): Promise<Cluster> {
  try {
    return await connect(options);
  } catch (error) {
    const reason = messageOf(error);
    throw new FlotillaError(
      'UNAVAILABLE',
      `Cannot connect to Temporal: ${reason}, a running cluster is expected`,
      {
        details: { reason: 'temporal.unreachable' },
        cause: error,
      },
    );
  }
}

async function connect(options: ClusterOptions): Promise<Cluster> {
  const { address, namespace, tls, apiKey, identity, dataConverter } = options;
  await using resources = new AsyncDisposableStack();
  const connection = await NativeConnection.connect({ address, tls, apiKey });
  resources.defer(() => connection.close());
  const calls = await Connection.connect({ address, tls, apiKey, channelArgs: CHANNEL });
  resources.defer(() => calls.close());
  const client = new Client({ connection: calls, namespace, identity, dataConverter });
  const owned = resources.move();
  return {
    client,
    connection,
    namespace,
    identity,
    dataConverter,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
