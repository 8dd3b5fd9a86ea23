/** What a task may choose about its model (spec/worker.md § 6.4). */

export const EFFORTS = ['NONE', 'MINIMAL', 'LOW', 'MEDIUM', 'HIGH', 'XHIGH'] as const;

export type Effort = (typeof EFFORTS)[number];

/** Absent means the instance's default in force when a request is made (spec/worker.md § 6.4). */
export interface TaskSettings {
  readonly model?: string;
  readonly effort?: Effort;
}
