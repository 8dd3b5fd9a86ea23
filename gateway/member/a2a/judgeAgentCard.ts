/**
 * An agent's card, judged before anything else is asked of the agent (A2A § 8, spec/worker.md § 8.2). Pure.
 *
 * What a card says is an agent's claim: it chooses among the interfaces at the registered address, and never another address.
 */
import { asRecord } from '../parseMemberJson.ts';

/** Behind the registered URL. */
export const CARD_PATH = '/.well-known/agent-card.json';

/** The version of the protocol that is spoken. */
export const PROTOCOL_VERSION = '1.0';

/** Longest version of an agent that is shown, in characters. */
const MAX_VERSION = 64;
/** Longest text of a card that a reason quotes, in characters. */
const MAX_QUOTE = 200;

/** How an agent's interface is spoken to. */
export interface AgentInterface {
  readonly binding: 'JSONRPC' | 'HTTP+JSON';
  /** Of the interface's URL, as the card has it. */
  readonly path: string;
  /** To be said with every operation. @default none */
  readonly tenant: string | undefined;
}

/** What of a card is used. */
export interface AgentCard {
  /** The agent's own, on one line; empty when it tells none. */
  readonly version: string;
  /** The first of those that we speak. */
  readonly agentInterface: AgentInterface;
  /** Whether tasks can be subscribed to. */
  readonly isStreaming: boolean;
}

export interface CardExpectation {
  /** The registered URL. */
  readonly url: string;
  /** Whether there is a bearer token for the agent. */
  readonly hasToken: boolean;
}

/** `refused`: it is a card, but not one of an agent that we can work with; `reason` says why. */
export type CardJudgement =
  | { readonly kind: 'accepted'; readonly card: AgentCard }
  | { readonly kind: 'refused' | 'malformed'; readonly reason: string };

export function judgeAgentCard(body: unknown, { url, hasToken }: CardExpectation): CardJudgement {
  const card = asRecord(body);
  if (!card) return { kind: 'malformed', reason: 'the agent card is not an object' };
  if (typeof card.name !== 'string' || !Array.isArray(card.supportedInterfaces)) {
    return refused(`there is no agent card of A2A ${PROTOCOL_VERSION}`);
  }
  const spoken = card.supportedInterfaces.map(readInterface).filter((found) => found !== undefined);
  const here = spoken.find(({ origin }) => origin === new URL(url).origin);
  if (spoken.length === 0) {
    return refused(`its card offers no A2A ${PROTOCOL_VERSION} over JSONRPC or HTTP+JSON`);
  }
  if (!here) return refused('its card names interfaces at other addresses than the registered one');
  const extension = requiredExtension(card.capabilities);
  if (extension !== undefined) return refused(`its card requires the extension ${quote(extension)}`);
  const demand = unmetDemand(card, hasToken);
  if (demand !== undefined) return refused(`its card demands ${demand}`);
  const { binding, path, tenant } = here;
  return {
    kind: 'accepted',
    card: {
      version: typeof card.version === 'string' ? oneLine(card.version, MAX_VERSION) : '',
      agentInterface: { binding, path, tenant },
      isStreaming: asRecord(card.capabilities)?.streaming === true,
    },
  };
}

/** Undefined for what is no interface of ours; a URL with more in it than an address and a path is none. */
function readInterface(value: unknown): (AgentInterface & { readonly origin: string }) | undefined {
  const { url, protocolBinding, protocolVersion, tenant } = asRecord(value) ?? {};
  if (protocolBinding !== 'JSONRPC' && protocolBinding !== 'HTTP+JSON') return undefined;
  if (protocolVersion !== PROTOCOL_VERSION || typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname, username, password, search, hash } = new URL(url);
  if (username + password + search + hash !== '') return undefined;
  const isTenant = typeof tenant === 'string' && tenant !== '';
  return { binding: protocolBinding, path: pathname, tenant: isTenant ? tenant : undefined, origin };
}

/** None is implemented, so that each that must be is one too many. */
function requiredExtension(capabilities: unknown): string | undefined {
  const extensions = asRecord(capabilities)?.extensions;
  if (!Array.isArray(extensions)) return undefined;
  const required = extensions.map(asRecord).find((extension) => extension?.required === true);
  return required && String(required.uri);
}

/** What is missing for the first of the alternatives that the card leaves; undefined when one of them can be met. */
function unmetDemand(card: Readonly<Record<string, unknown>>, hasToken: boolean): string | undefined {
  const { securityRequirements: alternatives, securitySchemes } = card;
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const schemes = asRecord(securitySchemes) ?? {};
  const missing = alternatives.map((alternative) =>
    Object.keys(asRecord(asRecord(alternative)?.schemes) ?? {}).flatMap(
      (name) => unmetScheme(Object.hasOwn(schemes, name) ? schemes[name] : undefined, hasToken) ?? [],
    ),
  );
  return missing.some((demands) => demands.length === 0) ? undefined : missing[0]?.join(' and ');
}

function unmetScheme(scheme: unknown, hasToken: boolean): string | undefined {
  const [kind = '', details] = Object.entries(asRecord(scheme) ?? {})[0] ?? [];
  switch (kind) {
    case 'httpAuthSecurityScheme': {
      const name = String(asRecord(details)?.scheme);
      if (name.toLowerCase() !== 'bearer') return `the HTTP authentication ${quote(name)}`;
      return hasToken ? undefined : 'a bearer token, and the entry has none (tokenEnv)';
    }
    case 'apiKeySecurityScheme':
      return 'an API key';
    case 'oauth2SecurityScheme':
      return 'OAuth 2.0';
    case 'openIdConnectSecurityScheme':
      return 'OpenID Connect';
    case 'mtlsSecurityScheme':
      return 'mutual TLS';
    default:
      return 'a security scheme of an unknown kind';
  }
}

function refused(reason: string): CardJudgement {
  return { kind: 'refused', reason };
}

function quote(text: string): string {
  return `"${oneLine(text, MAX_QUOTE)}"`;
}

function oneLine(text: string, maxLength: number): string {
  return text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, maxLength);
}
