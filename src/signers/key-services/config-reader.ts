import { parseUrl } from '../../common/net/parse-url';
import { invalidRequest } from '../../common/errors/domain-error';
import type { Secret } from '../../common/secrets/secret';
import { hasControlCharacters } from '../../common/validation/fields';
import { MAX_URL_LENGTH } from '../../common/validation/http-url';
import type { SignerSources } from '../signer-provider';
import { type ConfigFields, configObject, configText } from './config-fields';

const MAX_SECRET_LENGTH = 1024;

/** The pattern of a text field, and its description, which completes "config.name must be …". */
export interface TextRule {
  pattern: RegExp;
  text: string;
}

/** Whether a stored value is still valid for {@link ConfigReader.origin} with the same rule. */
export function isOrigin(value: unknown, accepts: (url: URL) => boolean): value is string {
  const url = typeof value === 'string' ? parseUrl(value) : undefined;
  return url !== undefined && url.origin === value && accepts(url);
}

/**
 * Reads the `config` of a new signer. Every fault is reported as a DomainError `invalid_request` that names the field
 * and the rule.
 */
export class ConfigReader {
  private readonly fields: ConfigFields;

  /** @param known the names of all fields; others are refused */
  constructor(config: unknown, known: readonly string[]) {
    this.fields = configObject(config, 'config', known);
  }

  has(name: string): boolean {
    return this.fields[name] !== undefined;
  }

  text(name: string, { pattern, text }: TextRule): string {
    return configText(this.fields[name], `config.${name}`, pattern, text);
  }

  optionalText(name: string, rule: TextRule): string | undefined {
    return this.has(name) ? this.text(name, rule) : undefined;
  }

  /** A URL that is only an origin, normalised without the trailing slash. */
  origin(name: string, accepts: (url: URL) => boolean, text: string): string {
    const value = configText(this.fields[name], `config.${name}`, /^https?:\/\/[^\s\\@?#]+$/i, text);
    const url = value.length <= MAX_URL_LENGTH ? parseUrl(value) : undefined;
    if (url?.pathname !== '/' || !accepts(url)) throw invalidRequest(`config.${name} must be ${text}`);
    return url.origin;
  }

  /**
   * A secret, given directly or by reference. Control characters are refused, because a trailing line break is a common
   * mistake.
   */
  secret(name: string, sources: SignerSources): Secret {
    const secret = sources.secret(this.fields[name], `config.${name}`);
    const value = secret.reveal();
    if (value === '' || value.length > MAX_SECRET_LENGTH || hasControlCharacters(value)) {
      throw invalidRequest(
        `config.${name} must be a string of 1 to ${MAX_SECRET_LENGTH} characters without control characters`,
      );
    }
    return secret;
  }
}
