import { parseUrl } from '../net/parse-url';
import type { ValidationOptions } from 'class-validator';
import { hasLength } from './fields';
import { validationRule } from './validation-rule';

/** Characters of a URL. @limit Stored objects */
export const MAX_URL_LENGTH = 2048;

/**
 * The OpenAPI schema of URLs that {@link IsHttpUrl} accepts. It has no `format: uri`, which excludes characters that a
 * URL may contain.
 */
export const HTTP_URL_SCHEMA = {
  type: 'string',
  pattern: '^[Hh][Tt][Tt][Pp][Ss]?://',
  maxLength: MAX_URL_LENGTH,
} as const;

interface HttpUrlRule {
  /** Whether `https://user:password@host` is allowed. */
  userInfo: boolean;
}

/** An absolute http or https URL (WHATWG) of at most 2048 characters. */
export function IsHttpUrl(rule: HttpUrlRule, options?: ValidationOptions): PropertyDecorator {
  const suffix = rule.userInfo ? '' : ', without user name or password';
  return validationRule(
    'isHttpUrl',
    (value) => isHttpUrl(value, rule),
    `$property must be an http or https URL of at most ${MAX_URL_LENGTH} characters${suffix}`,
    options,
  );
}

function isHttpUrl(value: unknown, rule: HttpUrlRule): boolean {
  // The parser drops white space and repairs a missing slash or host. Only URLs that need no repair are accepted.
  if (
    typeof value !== 'string' ||
    !hasLength(value, 1, MAX_URL_LENGTH) ||
    !/^https?:\/\/(?!\/)[^\s\p{Cc}\\]+$/iu.test(value)
  ) {
    return false;
  }
  const url = parseUrl(value);
  if (!url) return false;
  return url.hostname !== '' && (rule.userInfo || (url.username === '' && url.password === ''));
}

/** What {@link maskUrl} shows instead of path and query. */
export const MASKED_PATH = '/***';

/**
 * Makes a URL safe to show: providers put keys into path, query and user info, so those are masked
 * (`https://host/***`). A URL without them is unchanged.
 */
export function maskUrl(text: string): string {
  const url = new URL(text);
  const bare = url.pathname === '/' && url.search === '' && url.hash === '';
  return bare ? `${url.protocol}//${url.host}` : `${url.protocol}//${url.host}${MASKED_PATH}`;
}
