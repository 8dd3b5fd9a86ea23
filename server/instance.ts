/** The composition root: one process, one instance, either role (design § 1). The only place that constructs and connects. */
import { resolve } from 'node:path';
import { createManager } from '../gateway/index.ts';
import { type Clock, systemClock } from '../lib/Clock.ts';
import { type IdSource, systemIds } from '../lib/ids.ts';
import type { Logger } from '../lib/Logger.ts';
import { packageVersion } from '../lib/packageVersion.ts';
import { withFields } from '../lib/withFields.ts';
import {
  type ConfigFile,
  createConfigFile,
  createWorker,
  loadConfig,
  type WorkerOptions,
} from '../subgraph/index.ts';
import { createFaces } from './createFaces.ts';
import { createRestart } from './createRestart.ts';
import { readTokens } from './http/bearer.ts';
import { listen } from './http/listen.ts';
import { recordEvent } from './recordEvent.ts';
import { createTelemetry } from './telemetry/createTelemetry.ts';
import { toStartError } from './toStartError.ts';
import { withOverrides } from './withOverrides.ts';

export interface InstanceOptions {
  /** The configuration file; it need not be there. */
  readonly configPath: string;
  /** Where the secrets are that the configuration names. @default the environment of the process */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** In place of `service.port`; 0 takes any free one. */
  readonly port?: number;
  /** In place of `state.directory`. */
  readonly stateDirectory?: string;
  /** @default the system's */
  readonly clock?: Clock;
  /** @default the system's */
  readonly ids?: IdSource;
  /** @default JSON lines on standard error, from the level `log.level` on */
  readonly logger?: Logger;
  /** Tools of the tasks beside the intrinsic ones and those of the configuration. @default none */
  readonly tools?: WorkerOptions['tools'];
  /** Plugins built in code, behind the configured ones; what they bring may replace what is there. @default none */
  readonly plugins?: WorkerOptions['plugins'];
  /** Slash commands, behind those of all plugins; they may replace what is there. @default none */
  readonly commands?: WorkerOptions['commands'];
  /** Hooks, behind those of all plugins. @default none */
  readonly hooks?: WorkerOptions['hooks'];
  /** @default the provider that the configuration names */
  readonly model?: WorkerOptions['model'];
  /** Directory of the built dashboard. @default where `npm run build:web` puts it */
  readonly webRoot?: string;
  /**
   * Called when a client has asked for a restart: the program is expected to dispose of the instance, which answers that client first,
   * and to start it again with `restarted`. @default absent: a restart is NOT_SUPPORTED
   */
  readonly onRestart?: () => void;
  /** Set on a start that follows `onRestart`: the port it had, which it takes again where `service.port` is 0. */
  readonly restarted?: { readonly port: number };
  /** Called once, when requests are served. Its throw ends the start. */
  readonly onReady?: (instance: Instance) => void;
}

/**
 * A running instance. Disposing: it is not ready any more, takes no new connection, finishes what it is answering (for up to 5 s),
 * closes WebSockets with 1001, ends streams, stops the manager, stops the worker. Every step is taken even when the one before
 * throws; disposing twice is fine.
 */
export interface Instance extends AsyncDisposable {
  /** Empty when it has none. */
  readonly name: string;
  readonly role: 'worker' | 'manager';
  /** Base address, without a trailing slash. */
  readonly url: string;
  readonly pid: number;
  readonly isReady: boolean;
}

/**
 * Starts an instance: configuration, state directory, port, manager, faces, in this order. A start that fails undoes what it has done.
 *
 * @throws {StartError} when the configuration is wrong, the state directory is in use or unusable, or the port cannot be bound.
 */
export async function createInstance(options: InstanceOptions): Promise<Instance> {
  try {
    return await start(options);
  } catch (error) {
    throw toStartError(error);
  }
}

async function start(options: InstanceOptions): Promise<Instance> {
  const { configPath, env = process.env, clock = systemClock, ids = systemIds, onReady } = options;
  const { onRestart, restarted } = options;
  const boot = loadConfig(configPath, { env }).config;
  const port = options.port ?? (boot.service.port === 0 ? restarted?.port : undefined);
  const version = packageVersion();
  let file: ConfigFile | undefined;
  let url = '';
  let isStarted = false;

  await using resources = new AsyncDisposableStack();
  const { logger, metrics, tracer, redact } = resources.use(
    await createTelemetry({
      boot,
      current: () => file?.current() ?? boot,
      env,
      version,
      clock,
      logger: options.logger,
    }),
  );
  const of = (component: string): Logger => withFields(logger, { component });
  const stateDirectory = options.stateDirectory && resolve(options.stateDirectory);
  const config = withOverrides(createConfigFile({ path: configPath, env, logger }), { port, stateDirectory });
  file = config;
  const { instance, service } = config.current();
  const { name, role } = instance;
  const worker = resources.use(
    await createWorker({
      config,
      version,
      url: () => url,
      env,
      clock,
      ids,
      logger: of('worker'),
      tools: options.tools,
      plugins: options.plugins,
      commands: options.commands,
      hooks: options.hooks,
      model: options.model,
      restart:
        onRestart && createRestart(onRestart, { clock, readConfig: () => loadConfig(configPath, { env }) }),
      redact,
      tracer,
    }),
  );
  resources.defer(() => {
    if (isStarted) recordEvent(worker.log, 'service.stopped', { role, version });
  });
  const listener = resources.use(await listen(service));
  url = listener.url;
  const manager =
    role === 'manager'
      ? resources.use(
          await createManager({
            worker,
            clock,
            ids,
            logger: of('gateway'),
            ownUrl: url,
            env,
            tracer,
            redact,
            memberObserver: metrics.observeMember,
            streamObserver: metrics.streamObserver,
          }),
        )
      : undefined;
  const faces = resources.use(
    await createFaces({
      worker,
      manager,
      listener,
      tokens: readTokens(service.auth.tokenEnvs, env),
      clock,
      ids,
      logger: of('server'),
      tracer,
      redact,
      metrics,
      isDevelopment: env.NODE_ENV === 'development',
      webRoot: options.webRoot,
    }),
  );

  faces.open();
  isStarted = true;
  recordEvent(worker.log, 'service.started', { role, version });
  if (restarted) recordEvent(worker.log, 'restart.completed', { pid: process.pid });
  logger.info({ name, role, url, version }, 'The instance is ready');
  const running: Instance = {
    name,
    role,
    url,
    pid: process.pid,
    get isReady() {
      return faces.isReady;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
  const owned = resources.move();
  try {
    onReady?.(running);
  } catch (error) {
    await owned.disposeAsync();
    throw error;
  }
  return running;
}
