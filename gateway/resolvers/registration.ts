/** Whether an entry may join the registry (spec/manager.md §§ 2, 15): pure. */
import { INSTANCE_NAME } from '../../schema/config/ConfigSchema.ts';
import { parseMemberUrl } from '../../schema/config/memberUrl.ts';
import { badUserInput, type FlotillaError } from '../../schema/errors.ts';

export interface Registration {
  readonly name: string;
  readonly url: string;
}

export interface RegistryFile {
  readonly ownName: string;
  /** The literal own service address, normalised. */
  readonly ownAddress: string;
  /** `instance.manager.instances` as authored, whatever it is. */
  readonly entries: unknown;
}

/**
 * The normalised entry. Checked in this order: name, URL, own address, own name, the file's own entries, duplicates.
 *
 * @throws {FlotillaError} BAD_USER_INPUT for the first rule that is broken. Never shows a URL.
 */
export function parseRegistration({ name, url: text }: Registration, file: RegistryFile): Registration {
  const url = parseMemberUrl(text);
  if (!INSTANCE_NAME.test(name)) throw refused('the name is not 1 to 40 of a-z, 0-9 and "-"', 'such a name');
  if (url === undefined) {
    throw refused(
      'the URL is not an address',
      'http(s) with a host, without user information, query and fragment',
    );
  }
  if (url === file.ownAddress) throw refused("the URL is the manager's own address", "another instance's");
  if (name === file.ownName) throw refused("the name is the manager's own", "another instance's");
  const entries = parseEntries(file);
  if (entries.some((entry) => entry.name === name))
    throw refused(`the name "${name}" is registered`, 'a new name');
  const holder = entries.find((entry) => entry.url === url);
  if (holder) throw refused(`the URL is registered as "${holder.name}"`, 'a new URL');
  return { name, url };
}

/**
 * The entries of the file that `isMeant`, in its order, normalised.
 *
 * @throws {FlotillaError} BAD_USER_INPUT naming the first one that breaks a rule by its position in the file.
 */
export function parseEntries(
  { entries, ownName, ownAddress }: RegistryFile,
  isMeant: (entry: unknown) => boolean = () => true,
): Registration[] {
  const parsed: Registration[] = [];
  for (const [index, entry] of asList(entries).entries()) {
    if (!isMeant(entry)) continue;
    const { name, url: text } =
      typeof entry === 'object' && entry !== null ? (entry as Partial<Registration>) : {};
    const url = typeof text === 'string' ? parseMemberUrl(text) : undefined;
    const isFit =
      typeof name === 'string' &&
      INSTANCE_NAME.test(name) &&
      name !== ownName &&
      !parsed.some((earlier) => earlier.name === name) &&
      url !== undefined &&
      url !== ownAddress;
    if (!isFit)
      throw refused(`instance.manager.instances[${index}] breaks a rule`, 'a registry without bad entries');
    parsed.push({ name, url });
  }
  return parsed;
}

/** An absent registry is an empty one. */
export function asList(entries: unknown): readonly unknown[] {
  if (entries === undefined || entries === null) return [];
  if (Array.isArray(entries)) return entries;
  throw refused('instance.manager.instances is no list', 'a list');
}

function refused(what: string, expected: string): FlotillaError {
  return badUserInput(`Cannot change registry: ${what}, ${expected} is expected`);
}
