/** Which of the subgraphs can be in the graph together: one that is broken costs the others nothing. */
import type { ComposedGraph, SubgraphText } from './composeJoined.ts';
import type { ComposerAnswer } from './createComposer.ts';

export interface Candidate extends SubgraphText {
  /** The SDL of the same subgraph that is in the graph now. @default none */
  readonly accepted?: string;
}

export interface Fit {
  readonly accepted: readonly SubgraphText[];
  /** The graph of `accepted`; undefined when it has none of the subgraphs. */
  readonly graph: ComposedGraph | undefined;
  /** By subgraph, why its newest SDL is not in the graph. */
  readonly refused: ReadonlyMap<string, string>;
  /** Whether a composition failed for no fault of the subgraphs, so that it is worth another try. */
  readonly isFailed: boolean;
}

/**
 * Composes all candidates; when they do not fit, one after the other in their order, each with its newest SDL, else with
 * the one that is in the graph, else not at all.
 */
export async function composeWhatFits(
  candidates: readonly Candidate[],
  compose: (joined: readonly SubgraphText[]) => Promise<ComposerAnswer>,
): Promise<Fit> {
  const refused = new Map<string, string>();
  if (candidates.length === 0) return { accepted: [], graph: undefined, refused, isFailed: false };
  const texts = candidates.map(({ name, sdl }) => ({ name, sdl }));
  const whole = await compose(texts);
  if (whole.kind === 'composed') return { accepted: texts, graph: whole, refused, isFailed: false };

  let accepted: readonly SubgraphText[] = [];
  let graph: Fit['graph'];
  let isFailed = whole.kind === 'failed';
  for (const { name, sdl, accepted: before } of candidates) {
    for (const text of before === undefined || before === sdl ? [sdl] : [sdl, before]) {
      const joined = [...accepted, { name, sdl: text }];
      const answer = await compose(joined);
      if (answer.kind === 'composed') {
        accepted = joined;
        graph = answer;
        break;
      }
      isFailed ||= answer.kind === 'failed';
      if (text === sdl) refused.set(name, answer.reason);
    }
  }
  return { accepted, graph, refused, isFailed };
}
