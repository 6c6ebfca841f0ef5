import { isIP } from 'node:net';
import type { LogLevel } from '@nestjs/common';
import { parseUrl } from '../common/net/parse-url';
import { Secret } from '../common/secrets/secret';

/** How the text of a variable is parsed. `accepts` describes valid values in the reference. */
export interface Format<T> {
  accepts: string;
  /** @throws Error whose text is the rule */
  parse: (text: string) => T;
}

const MIN_API_KEY_LENGTH = 32;
const MAX_API_KEYS = 2;
const MAX_STORAGE_KEYS = 8;

export const anyText = (accepts: string): Format<string> => ({ accepts, parse: String });

export function integer(min: number, max: number): Format<number> {
  return {
    accepts: `${min}–${max}`,
    parse: (text) => {
      const value = /^\d{1,10}$/.test(text) ? Number(text) : NaN;
      if (!(value >= min && value <= max)) throw new Error(`must be an integer from ${min} to ${max}`);
      return value;
    },
  };
}

export function oneOf<T extends string>(...choices: T[]): Format<T> {
  return {
    accepts: choices.map((choice) => `\`${choice}\``).join(', '),
    parse: (text) => {
      const choice = choices.find((candidate) => candidate === text.toLowerCase());
      if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
      return choice;
    },
  };
}

export const apiKeysFormat: Format<[Secret, ...Secret[]]> = {
  accepts: `at least ${MIN_API_KEY_LENGTH} printable ASCII characters without spaces and commas, or ${MAX_API_KEYS} such keys with a comma between`,
  parse: (text) => {
    const [first = '', ...others] = text.split(',').map((key) => key.trim());
    const keys: [string, ...string[]] = [first, ...others];
    if (keys.length > MAX_API_KEYS) throw new Error(`must be at most ${MAX_API_KEYS} keys`);
    if (keys.some((key) => key.length < MIN_API_KEY_LENGTH))
      throw new Error(`must be at least ${MIN_API_KEY_LENGTH} characters long`);
    if (!keys.every((key) => /^[\x21-\x7e]+$/.test(key)))
      throw new Error('must consist of printable ASCII characters without spaces');
    if (new Set(keys).size < keys.length) throw new Error('must not have the same key twice');
    return [new Secret(first), ...others.map((key) => new Secret(key))];
  },
};

export const storageKeysFormat: Format<Secret[]> = {
  accepts: `the base64 of 32 bytes, or a comma-separated list of up to ${MAX_STORAGE_KEYS} such keys`,
  parse: (text) => {
    const keys = text.split(',').map((key) => key.trim());
    if (keys.length > MAX_STORAGE_KEYS || !keys.every(isStorageKey))
      throw new Error(
        `must be the base64 of 32 bytes, or a list of up to ${MAX_STORAGE_KEYS} with commas between`,
      );
    if (new Set(keys).size < keys.length) throw new Error('must not have the same key twice');
    return keys.map((key) => new Secret(key));
  },
};

export const redisUrlFormat: Format<Secret> = {
  accepts: '`redis://user:password@host:6379/0` or `rediss://…`, without parameters',
  parse: (text) => {
    const url = parseUrl(text);
    if (!url || !isRedisUrl(url)) throw new Error('must be a URL such as redis://user:password@host:6379/0');
    // Parameters would override the options of the service, such as its timeouts.
    if (url.search !== '' || url.hash !== '')
      throw new Error('must be a URL without parameters (?…) and fragment (#…)');
    return new Secret(text);
  },
};

export const trustProxyFormat: Format<false | number | string[]> = {
  accepts:
    '`off`, a number of proxies, or a comma-separated list of addresses, CIDR ranges, `loopback`, `linklocal`, `uniquelocal`',
  parse: (text) => {
    if (/^(off|false|0)$/i.test(text)) return false;
    if (/^\d{1,3}$/.test(text)) return Number(text);
    const ranges = text.split(',').map((range) => range.trim());
    if (!ranges.every(isProxyRange))
      throw new Error(
        'must be off, a number of hops, or a list of addresses, CIDR ranges, loopback, linklocal, uniquelocal',
      );
    return ranges;
  },
};

export const originFormat: Format<string> = {
  accepts: '`https://relayer.example.com`',
  parse: (text) => {
    const url = parseUrl(text);
    if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '')
      throw new Error('must be a URL such as https://relayer.example.com');
    return url.origin;
  },
};

const logLevel = oneOf('fatal', 'error', 'warn', 'info', 'debug', 'verbose');

export const logLevelFormat: Format<LogLevel> = {
  ...logLevel,
  parse: (text) => {
    const level = logLevel.parse(text);
    return level === 'info' ? 'log' : level;
  },
};

/**
 * Without a host, the client would connect to this machine; with a database that is not a number, every command would
 * fail. It decodes user and password, and throws an error for a `%` there that is not an escape. It does not decode the
 * host.
 */
const isRedisUrl = ({ protocol, hostname, port, pathname, username, password }: URL): boolean =>
  /^rediss?:$/.test(protocol) &&
  hostname !== '' &&
  !hostname.includes('%') &&
  port !== '0' &&
  /^\/?\d*$/.test(pathname) &&
  canDecode(username) &&
  canDecode(password);

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

function isStorageKey(text: string): boolean {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === 32 && bytes.toString('base64') === text;
}

function isProxyRange(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  if (rest.length > 0) return false;
  if (/^(loopback|linklocal|uniquelocal)$/.test(range)) return true;
  const version = isIP(address);
  if (version === 0 || bits === undefined) return version !== 0;
  // Express refuses a range of all addresses.
  return /^\d{1,3}$/.test(bits) && Number(bits) > 0 && Number(bits) <= (version === 4 ? 32 : 128);
}
