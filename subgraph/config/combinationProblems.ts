/** What only several keys together, or the environment, show to be wrong (spec/manager.md §§ 2, 3). Pure. */
import type { Config } from '../../schema/config/ConfigSchema.ts';
import { isLoopback } from '../../schema/config/isLoopback.ts';
import { ownAddress } from '../../schema/config/memberUrl.ts';
import { OPENAI_BASE_URL } from '../../schema/config/OpenAISection.ts';
import type { KeyPath } from './keyPath.ts';
import type { Problem } from './schemaProblems.ts';

/** The variables that secrets are read from. An empty one counts as unset. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Where the members are listed. */
export const REGISTRY: KeyPath = ['instance', 'manager', 'instances'];
const UNSET = 'expected the name of an environment variable that is set';

/** Problems of a value that the schema accepts, the registry's apart. */
export function combinationProblems(config: Config, env: Environment): readonly Problem[] {
  return [
    ...instanceProblems(config),
    ...gatewayProblems(config, env),
    ...serviceProblems(config, env),
    ...openaiProblems(config, env),
    ...mcpProblems(config, env),
    ...temporalProblems(config, env),
    ...criticProblems(config),
  ];
}

/** Refusals that need no environment: also asked of a value whose keys are not all of one file. */
export function instanceProblems({ instance }: Config): readonly Problem[] {
  const problems: Problem[] = [];
  if (instance.role === 'manager' && instance.name === '') {
    problems.push({
      path: ['instance', 'name'],
      message: 'expected a name, because instance.role is manager',
      refuses: true,
    });
  }
  if (instance.scope.mode === 'addressed' && instance.name === '') {
    problems.push({
      path: ['instance', 'scope', 'mode'],
      message: 'expected instance.name to be set for this mode',
    });
  }
  return problems;
}

/**
 * Problems of the registry's entries: rules V3, V4 and V6, and tokens that are not there. A later entry of a name is the one at fault.
 *
 * @param indices where in the file each entry of `config` stands.
 */
export function registryProblems(
  { instance, service }: Config,
  indices: readonly number[],
  env: Environment,
): readonly Problem[] {
  const seen = new Set<string>();
  return instance.manager.instances.flatMap(({ name, url, tokenEnv }, position): Problem[] => {
    const path = [...REGISTRY, indices[position] ?? position];
    if (name === instance.name)
      return [{ path: [...path, 'name'], message: "expected another name than the manager's own" }];
    if (seen.has(name))
      return [{ path: [...path, 'name'], message: 'expected a name that no entry before it has' }];
    if (url === ownAddress(service))
      return [{ path: [...path, 'url'], message: "expected another address than the manager's own" }];
    seen.add(name);
    const needsToken = instance.role === 'manager' && tokenEnv !== undefined;
    return needsToken && !env[tokenEnv] ? [{ path: [...path, 'tokenEnv'], message: UNSET }] : [];
  });
}

function gatewayProblems({ instance, gateway }: Config, env: Environment): Problem[] {
  if (instance.role !== 'manager') return [];
  return gateway.subgraphs.flatMap(({ tokenEnv }, index) =>
    tokenEnv === undefined || env[tokenEnv]
      ? []
      : [{ path: ['gateway', 'subgraphs', index, 'tokenEnv'], message: UNSET }],
  );
}

function serviceProblems({ service }: Config, env: Environment): Problem[] {
  const { host, unauthenticated, auth } = service;
  const unset = auth.tokenEnvs.flatMap((name, index) =>
    env[name] ? [] : [{ path: ['service', 'auth', 'tokenEnvs', index], message: UNSET }],
  );
  if (isLoopback(host) || unauthenticated || auth.tokenEnvs.length > 0) return unset;
  const message = 'expected a loopback address, or service.auth.tokenEnvs, or service.unauthenticated: true';
  return [...unset, { path: ['service', 'host'], message }];
}

/** What only makes sense with an address says that one was forgotten, and the other way round (spec/worker.md § 10.1). */
function temporalProblems({ instance, engine, temporal }: Config, env: Environment): Problem[] {
  if (engine !== 'temporal') return [];
  const { address, taskQueue, apiKeyEnv, embedded } = temporal;
  if (address === undefined) {
    const message = 'expected temporal.address, because there is an API key in the environment';
    return [
      ...presentTlsKeys(temporal, ['tls', ...TLS_DETAILS]).map((key) => ({
        path: ['temporal', key],
        message: 'expected only beside temporal.address',
      })),
      ...(env[apiKeyEnv] ? [{ path: ['temporal', 'apiKeyEnv'], message }] : []),
    ];
  }
  const { persist: _default, ...chosen } = embedded;
  const unshared = 'expected instance.name or a queue of its own, because others may use the cluster';
  return [
    ...(instance.name === '' && taskQueue === undefined
      ? [{ path: ['temporal', 'taskQueue'], message: unshared }]
      : []),
    ...Object.keys(chosen).map((key) => ({
      path: ['temporal', 'embedded', key],
      message: 'expected only without temporal.address',
    })),
    ...tlsProblems(temporal),
    ...(env[apiKeyEnv] && temporal.tls === false && !isLoopback(address.slice(0, address.lastIndexOf(':')))
      ? [{ path: ['temporal', 'tls'], message: KEY_IN_CLEAR }]
      : []),
  ];
}

const KEY_IN_CLEAR =
  'expected true, or a loopback address, because there is an API key in the environment, which anybody on the way could read';

/** How to encrypt, which says nothing where nothing is encrypted. */
const TLS_DETAILS = ['tlsCaFile', 'tlsCertificateFile', 'tlsKeyFile', 'tlsServerName'] as const;

type TlsKey = 'tls' | (typeof TLS_DETAILS)[number];

function tlsProblems(temporal: Config['temporal']): Problem[] {
  const { tls, tlsCertificateFile, tlsKeyFile } = temporal;
  if (tls === false) {
    return presentTlsKeys(temporal, TLS_DETAILS).map((key) => ({
      path: ['temporal', key],
      message: 'expected only where temporal.tls is not false',
    }));
  }
  if ((tlsCertificateFile === undefined) === (tlsKeyFile === undefined)) return [];
  const [lone, missing] =
    tlsKeyFile === undefined ? ['tlsCertificateFile', 'tlsKeyFile'] : ['tlsKeyFile', 'tlsCertificateFile'];
  return [{ path: ['temporal', lone], message: `expected temporal.${missing} beside it` }];
}

function presentTlsKeys(temporal: Config['temporal'], keys: readonly TlsKey[]): readonly TlsKey[] {
  return keys.filter((key) => temporal[key] !== undefined);
}

function criticProblems({ critics }: Config): Problem[] {
  return critics.flatMap(({ name }, index) =>
    critics.findIndex((critic) => critic.name === name) === index
      ? []
      : [{ path: ['critics', index, 'name'], message: 'expected a name that no entry before it has' }],
  );
}

function mcpProblems({ mcpServers }: Config, env: Environment): Problem[] {
  return Object.entries(mcpServers).flatMap(([name, server]) => {
    const [key, references] =
      'command' in server ? ['secretsEnv', server.secretsEnv] : ['headersEnv', server.headersEnv];
    return Object.entries(references).flatMap(([target, variable]) =>
      env[variable] ? [] : [{ path: ['mcpServers', name, key, target], message: UNSET }],
    );
  });
}

function openaiProblems({ model, openai }: Config, env: Environment): Problem[] {
  if (model.provider !== 'openai') return [];
  const hasKey = Boolean(env[openai.apiKeyEnv]);
  if (!hasKey && openai.baseUrl === OPENAI_BASE_URL) {
    return [{ path: ['openai', 'apiKeyEnv'], message: `${UNSET} (OPENAI_API_KEY by default)` }];
  }
  const { protocol, hostname } = new URL(openai.baseUrl);
  if (hasKey && protocol === 'http:' && !isLoopback(hostname)) {
    return [
      {
        path: ['openai', 'baseUrl'],
        message: 'expected https, because there is a key and the host is not this machine',
      },
    ];
  }
  return [];
}
