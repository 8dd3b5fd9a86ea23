/** A manager and its workers, each a process of its own on a port of its own, with places to cut the connections between. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { askGraphQL, readGraphQL } from '../support/askGraphQL.ts';
import { InstanceProcess } from '../support/InstanceProcess.ts';
import type { LoggedEvent } from './audit.ts';
import { freePorts } from './freePorts.ts';
import { PROXY_HOST, TcpProxy } from './TcpProxy.ts';
import { truncateLog } from './truncateLog.ts';

export const MANAGER = 'hq';

/** A member that is gone is noticed, and one that is back is used again, within about this time. */
const PROBE_INTERVAL_SECONDS = 1;
/** Longest wait of the manager for one answer of a member. */
const TIMEOUT_SECONDS = 3;
/** From one try of an edit of the registry to the next. */
const RETRY_MS = 200;
const UNREGISTER = 'mutation ($name: String!) { unregisterInstance(name: $name) { written } }';
const REGISTER =
  'mutation ($name: String!, $url: String!) { registerInstance(name: $name, url: $url) { written } }';
const UPDATE = 'mutation ($patch: JSON!) { updateConfig(patch: $patch) { written } }';
/** Makes a turn last, so that faults fall into it. */
const SCRIPTED = { delayMs: 40 };

/** One instance, and the proxy through which everybody but the direct writers reaches it. */
export interface ChaosInstance {
  readonly process: InstanceProcess;
  readonly proxy: TcpProxy;
}

export interface ChaosFleetOptions {
  /** A folder that is there; each instance has its own in it. */
  readonly directory: string;
  readonly workers: readonly string[];
  /** How many server-sent streams the manager has to carry. */
  readonly maxSubscribers: number;
}

export class ChaosFleet implements AsyncDisposable {
  readonly #instances: ReadonlyMap<string, ChaosInstance>;
  readonly #forgotten = new Map<string, LoggedEvent[]>();
  readonly #cuts = new Map<string, number>();
  /** Workers that are registered under their other address. */
  readonly #moved = new Set<string>();
  /** Edits of the registry follow each other: one of them writes the whole list. */
  #edits: Promise<void> = Promise.resolve();

  /** Resolves when all of them are ready. */
  static async start({ directory, workers, maxSubscribers }: ChaosFleetOptions): Promise<ChaosFleet> {
    const names = [MANAGER, ...workers];
    const ports = await freePorts(names.length);
    const members = workers.map((name, index) => ({ name, url: `http://${PROXY_HOST}:${ports[index + 1]}` }));
    const manager = {
      instances: members,
      timeoutSeconds: TIMEOUT_SECONDS,
      probeIntervalSeconds: PROBE_INTERVAL_SECONDS,
    };
    const instances = new Map<string, ChaosInstance>();
    for (const [index, name] of names.entries()) {
      const port = ports[index]!;
      const process = new InstanceProcess(name, join(directory, name), {
        instance: name === MANAGER ? { name, role: 'manager', manager } : { name },
        service: { port, stream: { maxSubscribers } },
        scripted: SCRIPTED,
        log: { level: 'warn' },
      });
      instances.set(name, { process, proxy: await TcpProxy.open(port) });
    }
    const fleet = new ChaosFleet(instances);
    try {
      await Promise.all([...instances.values()].map(({ process }) => process.start()));
      return fleet;
    } catch (error) {
      await fleet[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(instances: ReadonlyMap<string, ChaosInstance>) {
    this.#instances = instances;
  }

  /** The manager first. */
  get names(): readonly string[] {
    return [...this.#instances.keys()];
  }

  of(name: string): ChaosInstance {
    const instance = this.#instances.get(name);
    if (!instance) throw new Error(`There is no ${name} in this fleet`);
    return instance;
  }

  /** Address of the instance itself. */
  urlOf(name: string): string {
    return this.of(name).process.url;
  }

  /** Address of the manager as its clients know it. */
  get url(): string {
    return this.of(MANAGER).proxy.url;
  }

  /** Of each instance whose log was cut, how often that happened. */
  get cuts(): ReadonlyMap<string, number> {
    return this.#cuts;
  }

  unregister(name: string): Promise<void> {
    return this.#edit(() => this.#ask(UNREGISTER, { name }));
  }

  register(name: string): Promise<void> {
    return this.#edit(() => this.#ask(REGISTER, { name, url: this.#memberUrlOf(name) }));
  }

  /** Gives the worker its other address in the registry; one that is not there keeps it for when it is. */
  move(name: string): Promise<void> {
    if (!this.#moved.delete(name)) this.#moved.add(name);
    return this.#edit(async () => {
      const { config } = await readGraphQL(this.urlOf(MANAGER), '{ config { config } }');
      const entries = config.config.instance.manager.instances as readonly { readonly name: string }[];
      const instances = entries.map((entry) => ({ ...entry, url: this.#memberUrlOf(entry.name) }));
      await this.#ask(UPDATE, { patch: { instance: { manager: { instances } } } });
    });
  }

  /** Makes the worker forget nearly all of its log, as its retention would. */
  truncate(name: string): void {
    const forgotten = truncateLog(this.of(name).process.directory);
    if (forgotten.length === 0) return;
    this.#forgotten.set(name, [...this.forgottenBy(name), ...forgotten]);
    this.#cuts.set(name, (this.#cuts.get(name) ?? 0) + 1);
  }

  /** What the log of the instance held before it was cut, from its first event on. */
  forgottenBy(name: string): readonly LoggedEvent[] {
    return this.#forgotten.get(name) ?? [];
  }

  /** @throws when the manager does not find every member alive, with what it says of them. */
  async assertWhole(): Promise<void> {
    const { instances } = await readGraphQL(this.urlOf(MANAGER), '{ instances { name state detail } }');
    const rows = instances as readonly { readonly state: string }[];
    const isWhole = rows.length === this.names.length && rows.every(({ state }) => state === 'LIVE');
    if (!isWhole) throw new Error(`The fleet is not whole: ${JSON.stringify(rows)}`);
  }

  /** @throws when a task of any instance has more to do: a log in which nothing happens for a moment does not tell. */
  async assertAtRest(): Promise<void> {
    const atWork = '{ tasks(first: 1, filter: { states: [SUBMITTED, WORKING] }) { nodes { instance ref } } }';
    const [task] = (await readGraphQL(this.urlOf(MANAGER), atWork)).tasks.nodes;
    if (task) throw new Error(`The fleet is not at rest: ${JSON.stringify(task)}`);
  }

  /** Ends all of it at once, without a word; for the end of this very process. */
  killAll(): void {
    for (const { process } of this.#instances.values()) void process.kill();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#instances.values()].map(({ process }) => process[Symbol.asyncDispose]()));
    await Promise.all([...this.#instances.values()].map(({ proxy }) => proxy[Symbol.asyncDispose]()));
  }

  #memberUrlOf(name: string): string {
    const { proxy } = this.of(name);
    return this.#moved.has(name) ? proxy.otherUrl : proxy.url;
  }

  async #ask(mutation: string, variables: Readonly<Record<string, unknown>>): Promise<void> {
    await askGraphQL(this.urlOf(MANAGER), mutation, variables);
  }

  /** The manager may be dead or frozen: the edit is made as soon as it answers. An answer that got lost may have been a yes. */
  #edit(attempt: () => Promise<void>): Promise<void> {
    this.#edits = this.#edits.then(async () => {
      for (;;) {
        try {
          return await attempt();
        } catch {
          await delay(RETRY_MS);
        }
      }
    });
    return this.#edits;
  }
}
