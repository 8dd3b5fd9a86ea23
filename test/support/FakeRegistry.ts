/** A registry whose members and their states a test sets. Nothing is probed. */
import type { Member } from '../../gateway/member/Member.ts';
import type {
  FleetEntry,
  FleetReadOptions,
  MemberKind,
  MemberRegistry,
  MemberSchema,
  MemberState,
} from '../../gateway/registry/MemberRegistry.ts';

export interface FakeEntry {
  readonly member: Member;
  /** @default worker */
  readonly kind?: MemberKind;
  /** @default live */
  readonly state?: MemberState;
  readonly detail?: string;
  readonly version?: string;
  /** What the probe has learned of its schema. @default nothing */
  readonly schema?: MemberSchema;
  /** Refs of the newest probe. @default none */
  readonly managed?: readonly string[];
  /** Why they are managed. @default ['session'] */
  readonly sources?: readonly string[];
  /** Refs that the next forced probe finds. @default those of `managed` */
  readonly managedAfterRefresh?: readonly string[];
}

export class FakeRegistry implements MemberRegistry {
  readonly ownName: string;
  /** In fleet order, the first one the own half. */
  entries: readonly FakeEntry[];
  refreshes = 0;
  readonly failures: [name: string, reason: string][] = [];
  readonly expired: string[] = [];

  constructor(entries: readonly FakeEntry[]) {
    this.entries = entries;
    this.ownName = entries[0]?.member.name ?? '';
  }

  async fleet(_options?: Partial<FleetReadOptions>): Promise<readonly FleetEntry[]> {
    return this.snapshot();
  }

  async refresh(): Promise<readonly FleetEntry[]> {
    this.refreshes += 1;
    this.entries = this.entries.map((entry) => ({
      ...entry,
      managed: entry.managedAfterRefresh ?? entry.managed,
    }));
    return this.snapshot();
  }

  snapshot(): readonly FleetEntry[] {
    return this.entries.map(
      (
        {
          member,
          kind,
          state = 'live',
          detail = '',
          version = '1',
          schema,
          managed = [],
          sources = ['session'],
        },
        index,
      ) => ({
        member,
        isLocal: index === 0,
        kind,
        url: `http://${member.name}.test`,
        state,
        detail,
        version,
        schema,
        probedAtMs: 0,
        identity:
          state === 'live'
            ? {
                name: member.name,
                role: index === 0 ? 'manager' : 'worker',
                mode: 'open',
                managed: managed.map((ref) => ({ ref, sources })),
                sessionCount: managed.length,
              }
            : undefined,
      }),
    );
  }

  reportFailure(name: string, reason: string): void {
    this.failures.push([name, reason]);
  }

  expire(name: string): void {
    this.expired.push(name);
  }

  async *changes(): AsyncGenerator<void> {}

  async [Symbol.asyncDispose](): Promise<void> {}
}
