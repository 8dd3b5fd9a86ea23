/** The configuration file of a running instance: read again whenever it changes, written without losing a comment. */
import { dirname, resolve } from 'node:path';
import { type Clock, systemClock } from '../../lib/Clock.ts';
import type { Logger } from '../../lib/Logger.ts';
import { isBootOnly } from '../../schema/config/bootOnlyKeys.ts';
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { FlotillaError } from '../../schema/errors.ts';
import { ConfigError, type Finding, formatFinding } from './ConfigError.ts';
import type { ConfigFile, ConfigUpdateResult } from './ConfigFile.ts';
import { type Environment, instanceProblems } from './combinationProblems.ts';
import { keepBootOnly } from './keepBootOnly.ts';
import { formatKey } from './keyPath.ts';
import { changedKeys } from './mergePatch.ts';
import { editRefused, type PatchPlan, planUpdate } from './planUpdate.ts';
import {
  type ConfigReading,
  type ConfigText,
  checkConfig,
  codeOf,
  type FileStamp,
  readConfigText,
  stampOf,
} from './readConfig.ts';
import { replaceFile } from './replaceFile.ts';

/** A text that was read this soon after a change, in milliseconds, may be older than another change with the same stamp. */
const SETTLE_MS = 100;

/** How often an edit is planned before it gives way to somebody who keeps editing by hand. */
const EDIT_ATTEMPTS = 5;

/** Finer code of an edit that gave way to one by hand. */
const EDITED_MEANWHILE = 'config.editedMeanwhile';

export interface ConfigFileOptions {
  /** The file; it need not be there. */
  readonly path: string;
  /** Where the secrets are that the file names. */
  readonly env: Environment;
  readonly logger: Logger;
  /** Called after a changed file was taken over, by `current`, `authored`, `update` or `edit`. Its throw is logged and changes nothing. */
  readonly onChange?: (change: ConfigChange) => void;
  /** Tells how old a change of the file is. @default the system's */
  readonly clock?: Clock;
}

/** A change of the file that is now in force, but for its boot-only keys. */
export interface ConfigChange {
  /** Dotted paths of the authored keys whose value changed; a list counts as one. */
  readonly changed: readonly string[];
  /** Those of them that are read only at start. */
  readonly restartRequired: readonly string[];
  /** The change did not come through `update` or `edit`. */
  readonly byHand: boolean;
}

/**
 * Reads the file and stays its only reader and writer in this process. Boot-only keys keep the value of this first
 * reading; every other key is in force with the next `current()` after an edit. An edit that nothing would start on is
 * warned of once and not taken over.
 *
 * @throws {ConfigError} naming every key at fault, as `loadConfig` does.
 */
export function createConfigFile(options: ConfigFileOptions): ConfigFile {
  return new WatchedConfigFile(options);
}

class WatchedConfigFile implements ConfigFile {
  readonly path: string;
  readonly #options: ConfigFileOptions;
  readonly #boot: Config;
  #stamp: FileStamp;
  /** When the file was read, in epoch milliseconds. */
  #readAtMs: number;
  /** The newest text that was looked at, good or bad. */
  #file: ConfigText;
  /** The newest good reading, and what of it is in force. */
  #reading: ConfigReading;
  #config: Config;
  /** The text that the newest write of ours left. */
  #written: string | undefined;
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(options: ConfigFileOptions) {
    this.path = resolve(options.path);
    this.#options = options;
    // The stamp comes first: an edit between the two is then seen by the next look.
    this.#stamp = stampOf(this.path);
    this.#readAtMs = this.#nowMs();
    this.#file = readConfigText(this.path);
    this.#reading = this.#check(this.#file);
    const { config, findings, warnings, cause } = this.#reading;
    if (!config) throw new ConfigError(options.path, findings, { cause });
    this.#boot = config;
    this.#config = config;
    this.#warn(warnings);
  }

  current(): Config {
    this.#refresh();
    return this.#config;
  }

  authored(): { exists: boolean; document: unknown } {
    this.#refresh();
    const { exists, document } = this.#reading;
    return { exists, document };
  }

  update(patch: unknown): Promise<ConfigUpdateResult> {
    return this.#inTurn(() => this.#write(() => patch));
  }

  edit(plan: PatchPlan): Promise<ConfigUpdateResult> {
    return this.#inTurn(async () => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await this.#write(plan);
        } catch (error) {
          if (!wasEditedMeanwhile(error) || attempt === EDIT_ATTEMPTS) throw error;
        }
      }
    });
  }

  #inTurn(write: () => Promise<ConfigUpdateResult>): Promise<ConfigUpdateResult> {
    const turn = this.#lastWrite.then(write);
    this.#lastWrite = turn.catch(() => undefined);
    return turn;
  }

  #refresh(): void {
    const stamp = stampOf(this.path);
    const isSameStamp = stamp.id === this.#stamp.id;
    if (isSameStamp && this.#readAtMs - stamp.changedAtMs > SETTLE_MS) return;
    this.#readAtMs = this.#nowMs();
    const file = readConfigText(this.path);
    const isSameFile = isSameStamp && file.text === this.#file.text;
    this.#stamp = stamp;
    this.#file = file;
    if (!isSameFile) this.#take(this.#check(file));
  }

  #nowMs(): number {
    const { clock = systemClock } = this.#options;
    return clock.nowMs();
  }

  #check(file: ConfigText): ConfigReading {
    return checkConfig(file, { env: this.#options.env, directory: dirname(this.path) });
  }

  #take(reading: ConfigReading): void {
    const config = reading.config && keepBootOnly(reading.config, this.#boot);
    const isGone = !reading.exists && this.#reading.exists;
    const refusal = isGone ? 'the file is gone' : config && refusalOf(config);
    if (!config || refusal) {
      const faults = reading.findings.map((finding) => formatFinding(this.path, finding));
      const why = refusal ?? 'the file is wrong';
      this.#options.logger.warn({ path: this.path, faults }, `The configuration in force stays: ${why}`);
      return;
    }
    const changed = changedKeys(this.#reading.document, reading.document);
    this.#reading = reading;
    this.#config = config;
    this.#warn(reading.warnings);
    this.#announce(changed, this.#file.text !== this.#written);
  }

  async #write(plan: PatchPlan): Promise<ConfigUpdateResult> {
    const file = readConfigText(this.path);
    if (file.fault) throw editRefused(file.fault.message, { cause: file.cause });
    const { env } = this.#options;
    const { text, document, changed } = planUpdate(file.text, plan, { env, directory: dirname(this.path) });
    const written = changed.length > 0;
    if (written) await this.#replace(text, file.text);
    return {
      path: this.path,
      exists: file.exists || written,
      changed,
      restartRequired: changed.filter(isBootOnly),
      written,
      config: document,
    };
  }

  async #replace(text: string, before: string): Promise<void> {
    this.#written = text;
    try {
      await replaceFile(this.path, text, () => {
        if (readConfigText(this.path).text === before) return;
        throw editRefused('the file was edited meanwhile, another attempt is expected', {
          reason: EDITED_MEANWHILE,
        });
      });
    } catch (error) {
      const code = codeOf(error);
      if (error instanceof FlotillaError || code === undefined) throw error;
      throw editRefused(`the file cannot be written (${code}), a writable directory is expected`, {
        cause: error,
      });
    }
    this.#refresh();
  }

  #warn(warnings: readonly Finding[]): void {
    for (const warning of warnings) {
      this.#options.logger.warn({ key: warning.key }, formatFinding(this.path, warning));
    }
  }

  #announce(changed: readonly string[], byHand: boolean): void {
    if (changed.length === 0) return;
    try {
      this.#options.onChange?.({ changed, restartRequired: changed.filter(isBootOnly), byHand });
    } catch (error) {
      this.#options.logger.error({ err: error }, 'A listener of the configuration failed');
    }
  }
}

function wasEditedMeanwhile(error: unknown): boolean {
  return error instanceof FlotillaError && error.details.reason === EDITED_MEANWHILE;
}

/** Why the running instance cannot go on with a value that it could start on. */
function refusalOf(config: Config): string | undefined {
  const problem = instanceProblems(config).find(({ refuses }) => refuses);
  return problem && `${formatKey(problem.path)}: ${problem.message}`;
}
