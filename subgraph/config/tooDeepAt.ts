/** How deep the collections of a YAML text lie in each other, found without recursion: whatever recurses afterwards has a stack that ends. */
import { CST } from 'yaml';

/** Offset of the first token that lies in more than `maxDepth` collections; undefined when there is none. Pure; never throws. */
export function tooDeepAt(tokens: readonly CST.Token[], maxDepth: number): number | undefined {
  const open = tokens.map((token) => ({ token, depth: 0 })).reverse();
  for (let next = open.pop(); next; next = open.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return token.offset;
    if (token.type === 'document' && token.value) open.push({ token: token.value, depth });
    if (!CST.isCollection(token)) continue;
    for (const { key, value } of token.items.toReversed()) {
      if (value) open.push({ token: value, depth: depth + 1 });
      if (key) open.push({ token: key, depth: depth + 1 });
    }
  }
  return undefined;
}
