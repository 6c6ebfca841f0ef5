import { parseUrl } from '../common/net/parse-url';
import { Secret } from '../common/secrets/secret';
import type { Format } from './setting-formats';

/** The samplers of the OpenTelemetry specification. */
export const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type SamplerName = (typeof SAMPLERS)[number];

/** The base URL of a collector, without a trailing slash. */
export const collectorFormat: Format<string> = {
  accepts: '`http://host:4318` or `https://…`',
  parse: (text) => {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash)
      throw new Error('must be a URL such as http://otel-collector:4318');
    return url.href.replace(/\/+$/, '');
  },
};

/** `name=value` pairs as in the specification; values are percent-encoded. */
export const collectorHeadersFormat: Format<Secret> = {
  accepts: 'a comma-separated list of `name=value`, values percent-encoded',
  parse: (text) => {
    try {
      parseCollectorHeaders(text);
    } catch {
      throw new Error('must be a list such as name=value,other=value with percent-encoded values');
    }
    return new Secret(text);
  },
};

/** @throws Error if the text is not a valid list */
export function parseCollectorHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*=(.*)$/.exec(pair) ?? [];
    if (name === undefined || value === undefined) throw new Error('is not a list of headers');
    const decoded = decodeURIComponent(value.trim());
    if (!/^[\x20-\x7e]*$/.test(decoded)) throw new Error('is not a value of a header');
    headers[name.toLowerCase()] = decoded;
  }
  return headers;
}

export const ratioFormat: Format<number> = {
  accepts: '0–1',
  parse: (text) => {
    const value = /^\d(?:\.\d{1,9})?$/.test(text) ? Number(text) : NaN;
    if (!(value >= 0 && value <= 1)) throw new Error('must be a number from 0 to 1');
    return value;
  },
};
