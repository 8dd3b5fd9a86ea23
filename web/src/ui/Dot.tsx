/** A coloured dot that always stands beside a word. */
import type { Tone } from './tone.ts';

export function Dot({ tone }: { readonly tone: Tone }) {
  return <span className={`dot dot-${tone}`} aria-hidden="true" />;
}
