/** One broken subgraph costs the others nothing. */
import { expect, test } from 'vitest';
import type { SubgraphText } from '../../../gateway/subgraphs/composeJoined.ts';
import { composeWhatFits } from '../../../gateway/subgraphs/composeWhatFits.ts';
import type { ComposerAnswer } from '../../../gateway/subgraphs/createComposer.ts';

/** Refuses every list that has a text with "bad" in it; the graph tells what it is made of. */
function fakeComposer() {
  const asked: string[] = [];
  const compose = async (joined: readonly SubgraphText[]): Promise<ComposerAnswer> => {
    const sdl = joined.map((text) => `${text.name}:${text.sdl}`).join(' ');
    asked.push(sdl);
    if (sdl.includes('crash')) return { kind: 'failed', reason: 'it crashed' };
    return sdl.includes('bad')
      ? { kind: 'refused', reason: 'it is bad' }
      : { kind: 'composed', sdl, apiSdl: '', fields: new Map() };
  };
  return { asked, compose };
}

test('what fits is composed once', async () => {
  const { asked, compose } = fakeComposer();
  const fit = await composeWhatFits(
    [
      { name: 'a', sdl: '1' },
      { name: 'b', sdl: '2' },
    ],
    compose,
  );
  expect(asked).toEqual(['a:1 b:2']);
  expect(fit).toMatchObject({ graph: { sdl: 'a:1 b:2' }, isFailed: false });
  expect(fit.refused.size).toBe(0);
});

test('a broken subgraph keeps what is in the graph, and the others change', async () => {
  const { compose } = fakeComposer();
  const fit = await composeWhatFits(
    [
      { name: 'a', sdl: 'bad', accepted: '1' },
      { name: 'b', sdl: '2', accepted: '1' },
    ],
    compose,
  );
  expect(fit.graph?.sdl).toBe('a:1 b:2');
  expect([...fit.refused]).toEqual([['a', 'it is bad']]);
});

test('a broken subgraph that never was in the graph is left out', async () => {
  const { compose } = fakeComposer();
  const fit = await composeWhatFits(
    [
      { name: 'a', sdl: 'bad' },
      { name: 'b', sdl: '2' },
    ],
    compose,
  );
  expect(fit.accepted).toEqual([{ name: 'b', sdl: '2' }]);
});

test('without subgraphs there is nothing to compose', async () => {
  const { asked, compose } = fakeComposer();
  expect(await composeWhatFits([], compose)).toMatchObject({ accepted: [], graph: undefined });
  expect(asked).toEqual([]);
});

test('a composition that failed by itself is worth another try', async () => {
  const { compose } = fakeComposer();
  const fit = await composeWhatFits([{ name: 'a', sdl: 'crash', accepted: '1' }], compose);
  expect(fit).toMatchObject({ isFailed: true, accepted: [{ name: 'a', sdl: '1' }] });
});
