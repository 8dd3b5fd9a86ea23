/** The whole configuration of an instance (spec/manager.md § 2, spec/worker.md § 11): one zod schema, joined from one file per section. */
import { z } from 'zod';

export const INSTANCE_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export const ConfigSchema = z.strictObject({});

export type Config = {
  readonly instance: {
    readonly name: string;
    readonly role: 'worker' | 'manager';
    readonly scope: { readonly mode: 'open' | 'addressed' | 'locked'; readonly workItems: readonly string[] };
    readonly manager: {
      readonly instances: readonly {
        readonly name: string;
        readonly url: string;
        readonly tokenEnv?: string;
      }[];
      readonly timeoutSeconds: number;
      readonly probeIntervalSeconds: number;
    };
  };
  readonly service: {
    readonly host: string;
    readonly port: number;
    readonly unauthenticated: boolean;
    readonly auth: { readonly tokenEnvs: readonly string[] };
    readonly maxRequestBytes: number;
    readonly stream: {
      readonly enabled: boolean;
      readonly maxSubscribers: number;
      readonly keepAliveSeconds: number;
    };
  };
  readonly state: { readonly directory: string };
  readonly model: { readonly provider: 'scripted' | 'openai' };
  readonly scripted: { readonly replies: readonly unknown[]; readonly delayMs: number };
  readonly openai: {
    readonly baseUrl: string;
    readonly api: 'responses' | 'chat_completions';
    readonly model: string;
    readonly effort?: string;
    readonly models: readonly string[];
    readonly apiKeyEnv: string;
    readonly timeoutSeconds: number;
    readonly maxOutputTokens: number;
  };
  readonly tasks: { readonly maxTurns: number; readonly agentId: string };
  readonly retries: {
    readonly default: RetryConfig;
    readonly perActivity: Readonly<Record<string, Partial<RetryConfig>>>;
  };
  readonly log: { readonly level: 'debug' | 'info' | 'warn' | 'error' };
};

export interface RetryConfig {
  readonly initialIntervalSeconds: number;
  readonly backoffCoefficient: number;
  readonly maximumIntervalSeconds: number;
  readonly maximumAttempts: number;
}
