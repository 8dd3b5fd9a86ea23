/** A strict reader of the Prometheus text format 0.0.4: it throws for what a scraper would refuse or warn of. */

export interface MetricFamily {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly samples: readonly Sample[];
}

export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(.*)\\})? (\\S+)$`);
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(,|$)/y;
const SUFFIXES: Readonly<Record<string, readonly string[]>> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
};

export function parsePrometheus(text: string): ReadonlyMap<string, MetricFamily> {
  if (!text.endsWith('\n')) throw new Error('The last line does not end');
  const families = new Map<string, MetricFamily & { samples: Sample[] }>();
  let current: (MetricFamily & { samples: Sample[] }) | undefined;
  let help: readonly [string, string] | undefined;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, name = '', rest = ''] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.+)$`).exec(line) ?? [];
    if (kind === 'HELP') {
      help = [name, rest];
    } else if (kind === 'TYPE') {
      if (help?.[0] !== name) throw new Error(`${name} has no help`);
      if (families.has(name)) throw new Error(`${name} comes twice`);
      if (!(rest in SUFFIXES)) throw new Error(`${name} is of the type ${rest}`);
      current = { name, help: help[1], type: rest, samples: [] };
      families.set(name, current);
    } else {
      const sample = parseSample(line);
      const suffixes = SUFFIXES[current?.type ?? ''] ?? [];
      if (!suffixes.some((suffix) => sample.name === `${current?.name}${suffix}`)) {
        throw new Error(`${sample.name} is outside of its family`);
      }
      current?.samples.push(sample);
    }
  }
  for (const family of families.values()) checkFamily(family);
  return families;
}

function parseSample(line: string): Sample {
  const [, name, labelText = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined) throw new Error(`No sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < labelText.length) {
    const match = LABEL.exec(labelText);
    if (!match) throw new Error(`No labels: ${line}`);
    if (match[1]! in labels) throw new Error(`A label comes twice: ${line}`);
    labels[match[1]!] = match[2]!;
  }
  const number = value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value);
  if (Number.isNaN(number)) throw new Error(`No number: ${line}`);
  return { name, labels, value: number };
}

/** What the guidelines of Prometheus ask of names, and what a histogram has to be. */
function checkFamily({ name, type, samples }: MetricFamily): void {
  if (type === 'counter' && !name.endsWith('_total')) throw new Error(`${name} is a counter without _total`);
  if (type !== 'counter' && name.endsWith('_total')) throw new Error(`${name} is no counter`);
  const keys = samples.map((sample) => JSON.stringify([sample.name, Object.entries(sample.labels).sort()]));
  if (new Set(keys).size !== keys.length) throw new Error(`${name} has a series twice`);
  if (type !== 'histogram') return;
  const buckets = Map.groupBy(
    samples.filter((sample) => sample.name.endsWith('_bucket')),
    ({ labels: { le: _, ...others } }) => JSON.stringify(others),
  );
  for (const series of buckets.values()) {
    const values = series.map(({ value }) => value);
    if (values.some((value, index) => value < (values[index - 1] ?? 0)))
      throw new Error(`${name} is not cumulative`);
    if (series.at(-1)?.labels.le !== '+Inf') throw new Error(`${name} has no last bucket`);
  }
}
