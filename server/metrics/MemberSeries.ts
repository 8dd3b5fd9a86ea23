/** Which series a metric has for each member, so that those of a member leave with it. */
import type { Counter, Histogram } from 'prom-client';

type Labels = Readonly<Record<string, string>> & { readonly member: string };

/** As many series as there are members times the values of the other labels, which come from fixed sets. */
export class MemberSeries {
  readonly #metric: Pick<Counter | Histogram, 'remove'>;
  /** By the labels as JSON. */
  readonly #known = new Map<string, Labels>();

  constructor(metric: Pick<Counter | Histogram, 'remove'>) {
    this.#metric = metric;
  }

  /** To be called with the labels of everything that is recorded. */
  add(labels: Labels): void {
    this.#known.set(JSON.stringify(labels), labels);
  }

  /** Drops what belongs to nobody of `members`. */
  retain(members: ReadonlySet<string>): void {
    for (const [key, labels] of this.#known) {
      if (members.has(labels.member)) continue;
      this.#known.delete(key);
      this.#metric.remove({ ...labels });
    }
  }
}
