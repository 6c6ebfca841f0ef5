const EXPOSITION = ['text/plain', 'application/openmetrics-text'];

/**
 * Whether an `Accept` header (RFC 9110 §12.5.1) ranks Prometheus' text above JSON, as a scraper's does. Ties and
 * `*\/*` go to JSON.
 */
export function prefersExposition(accept: string | undefined): boolean {
  if (accept === undefined) return false;
  const ranges = accept.split(',').map(parseRange);
  const text = Math.max(...EXPOSITION.map((type) => quality(type, ranges)));
  return text > quality('application/json', ranges);
}

interface MediaRange {
  type: string;
  quality: number;
}

function parseRange(text: string): MediaRange {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const q = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  const quality = q === undefined ? 1 : Number(q);
  return { type, quality: quality >= 0 && quality <= 1 ? quality : 0 };
}

/** The quality of the most specific range that covers a type; 0 if none does. */
function quality(type: string, ranges: MediaRange[]): number {
  const family = `${type.split('/')[0] ?? ''}/*`;
  for (const candidate of [type, family, '*/*']) {
    const matching = ranges.filter((range) => range.type === candidate);
    if (matching.length > 0) return Math.max(...matching.map((range) => range.quality));
  }
  return 0;
}
