/** HTTP content negotiation (RFC 9110 § 12.5.1), as far as the faces need it. */

/**
 * The offer that an Accept header likes best; undefined when it accepts none.
 *
 * Between offers of equal quality the more specific range wins, then the order of the offers. A missing or empty header accepts the
 * first offer.
 */
export function preferredMediaType(
  accept: string | undefined,
  offers: readonly string[],
): string | undefined {
  if (!accept?.trim()) return offers[0];
  const ranges = accept.split(',').map(parseRange);
  let best: { readonly offer: string; readonly match: Match } | undefined;
  for (const offer of offers) {
    const match = matchOffer(offer, ranges);
    if (match.quality > 0 && (!best || isBetter(match, best.match))) best = { offer, match };
  }
  return best?.offer;
}

interface Range {
  readonly type: string;
  readonly quality: number;
}

interface Match {
  readonly quality: number;
  /** 3 for the type itself, 2 for `type/*`, 1 for `*` of all. */
  readonly specificity: number;
}

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const quality = parameters.find((parameter) => parameter.startsWith('q='));
  const value = quality === undefined ? 1 : Number(quality.slice(2));
  return { type, quality: value >= 0 && value <= 1 ? value : 0 };
}

/** The most specific range decides the quality, so that `text/html;q=0` refuses what a wildcard would accept. */
function matchOffer(offer: string, ranges: readonly Range[]): Match {
  const forms = ['', '*/*', `${offer.split('/')[0]}/*`, offer];
  let match: Match = { quality: 0, specificity: 0 };
  for (const { type, quality } of ranges) {
    const specificity = forms.indexOf(type);
    if (specificity > match.specificity) match = { quality, specificity };
  }
  return match;
}

function isBetter(one: Match, other: Match): boolean {
  if (one.quality !== other.quality) return one.quality > other.quality;
  return one.specificity > other.specificity;
}
