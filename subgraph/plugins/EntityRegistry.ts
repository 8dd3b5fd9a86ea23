/** Entities of one kind by id and version (spec/worker.md § 8.8). */
import { compareVersions } from '../../lib/compareVersions.ts';
import { conflict } from '../../schema/errors.ts';

export interface Versioned {
  readonly version?: string;
}

/** The only version of an entity that has none. */
const UNVERSIONED = '';

export class EntityRegistry<Entity extends Versioned> {
  readonly #kind: string;
  readonly #byId = new Map<string, Map<string, Entity>>();

  /** @param kind for the texts of errors. */
  constructor(kind: string) {
    this.#kind = kind;
  }

  /** @throws {FlotillaError} CONFLICT with reason `entity.conflict` when this id and version are taken and `override` is not declared. */
  register(id: string, entity: Entity, { override = false }: { readonly override?: boolean } = {}): void {
    const versions = this.#byId.get(id) ?? new Map<string, Entity>();
    const { version = UNVERSIONED } = entity;
    if (versions.has(version) && !override) {
      const name = version === UNVERSIONED ? id : `${id} ${version}`;
      throw conflict(`Cannot register ${this.#kind}: "${name}" is there already`, {
        reason: 'entity.conflict',
      });
    }
    this.#byId.set(id, versions.set(version, entity));
  }

  /** The entity with this version, or the one with the highest when none is named. */
  find(id: string, version?: string): Entity | undefined {
    const versions = this.#byId.get(id);
    if (version !== undefined) return versions?.get(version);
    const [highest] = [...(versions?.keys() ?? [])].sort((a, b) => compareVersions(b, a));
    return highest === undefined ? undefined : versions?.get(highest);
  }

  /** The highest version of each id, sorted by id. */
  list(): readonly Entity[] {
    return [...this.#byId.keys()].sort().flatMap((id) => this.find(id) ?? []);
  }
}
