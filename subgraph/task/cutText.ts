/** The first characters of a text. By code points: a cut inside a surrogate pair would not survive UTF-8. */
export function cutText(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : Array.from(text).slice(0, maxLength).join('');
}
