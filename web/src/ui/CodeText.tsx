/** A sentence in which what stands between backticks is code. */

export function CodeText({ text }: { readonly text: string }) {
  // Every second part was between backticks.
  return text.split('`').map((part, index) => {
    const key = `${index} ${part}`;
    return index % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
  });
}
