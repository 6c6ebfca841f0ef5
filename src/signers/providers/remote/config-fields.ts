import { invalidRequest } from '../../../common/errors/domain-error';
import type { Secret } from '../../../common/secrets/secret';
import { hasControlCharacters } from '../../../common/validation/fields';
import { MAX_URL_LENGTH } from '../../../common/validation/http-url';
import type { SignerSources } from '../../signer-provider';

const MAX_SECRET_LENGTH = 1024;

/** What a text field must look like, and how that is said. */
export interface TextRule {
  pattern: RegExp;
  /** Completes "config.name must be …". */
  text: string;
}

/** Reads the `config` of a new signer; every fault is a DomainError `invalid_request` that names field and rule. */
export class ConfigFields {
  private readonly fields: Record<string, unknown>;

  /** @param known the names of all fields; any other is refused */
  constructor(config: unknown, known: readonly string[]) {
    if (typeof config !== 'object' || config === null || Array.isArray(config)) {
      throw invalidRequest(`config must be an object with ${known.join(', ')}`);
    }
    const stranger = Object.keys(config).find((name) => !known.includes(name));
    if (stranger !== undefined) throw invalidRequest(`config.${stranger} is not a known field`);
    this.fields = config as Record<string, unknown>;
  }

  /** False for an absent field, and for null: clients made from a schema send null for what they leave out. */
  has(name: string): boolean {
    return this.fields[name] !== undefined && this.fields[name] !== null;
  }

  text(name: string, rule: TextRule): string {
    const value = this.fields[name];
    if (typeof value !== 'string' || !rule.pattern.test(value) || hasControlCharacters(value)) {
      throw invalidRequest(`config.${name} must be ${rule.text}`);
    }
    return value;
  }

  optionalText(name: string, rule: TextRule): string | undefined {
    return this.has(name) ? this.text(name, rule) : undefined;
  }

  /** A URL of a host alone, in its normal form without the last slash. */
  origin(name: string, accepts: (url: URL) => boolean, text: string): string {
    const value = this.fields[name];
    const fault = invalidRequest(`config.${name} must be ${text}`);
    if (
      typeof value !== 'string' ||
      value.length > MAX_URL_LENGTH ||
      !/^https?:\/\/[^\s\\@?#]+$/i.test(value)
    ) {
      throw fault;
    }
    if (!URL.canParse(value)) throw fault;
    const url = new URL(value);
    if (url.pathname !== '/' || !accepts(url)) throw fault;
    return url.origin;
  }

  /** A secret that the configuration holds or refers to. A line break at its end is a common slip of the pen. */
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
