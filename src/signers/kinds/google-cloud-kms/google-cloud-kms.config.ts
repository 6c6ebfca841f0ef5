import { createPrivateKey } from 'node:crypto';
import { invalidRequest } from '../../../common/errors/domain-error';
import { Secret } from '../../../common/secrets/secret';
import type { SignerMaterial, SignerSources } from '../../signer-provider';
import { type ConfigFields, configObject, configText } from '../../key-services/config-fields';

type Settings = SignerMaterial['settings'];

const SERVICE_ACCOUNT_TEXTS = [
  'private_key_id',
  'project_id',
  'client_email',
  'client_id',
  'auth_uri',
  'token_uri',
  'auth_provider_x509_cert_url',
  'client_x509_cert_url',
  'universe_domain',
] as const;
const SERVICE_ACCOUNT_FIELDS = ['private_key', ...SERVICE_ACCOUNT_TEXTS];
const KEY_FIELDS = ['location', 'key_ring_id', 'key_id', 'key_version'];

const LINE = /^[\x20-\x7e]{1,2048}$/;
/** These become part of a URL path. */
const PROJECT = /^[a-z0-9][a-z0-9.:-]{1,127}$/;
const LOCATION = /^[a-z0-9-]{1,63}$/;
const RESOURCE_ID = /^[A-Za-z0-9_-]{1,63}$/;
/** This becomes part of a host name. */
const DOMAIN = /^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/;
export const DOMAIN_RULE = 'a domain such as googleapis.com';
const MAX_VERSION = 2 ** 31 - 1;
const MAX_PRIVATE_KEY_LENGTH = 16 * 1024;
const RULES: Partial<Record<string, [pattern: RegExp, rule: string]>> = {
  project_id: [PROJECT, 'the id of a project'],
  universe_domain: [DOMAIN, DOMAIN_RULE],
};

export const isDomain = (value: unknown): value is string => typeof value === 'string' && DOMAIN.test(value);

/**
 * Checks `{service_account?, key, project_id?}` and splits it for storage: the settings by their paths, and the private
 * key of the service account as the secret.
 *
 * @throws DomainError `invalid_request`
 */
export function parseGoogleCloudKmsConfig(config: unknown, sources: SignerSources): SignerMaterial {
  const fields = configObject(config, 'config', ['key', 'service_account', 'project_id']);
  const settings = parseKey(fields.key);
  const secret =
    fields.service_account === undefined ? null : parseAccount(fields.service_account, settings, sources);
  if (fields.project_id !== undefined) {
    settings.project_id = text(fields.project_id, 'config.project_id', RULES.project_id);
  } else if (settings['service_account.project_id'] === undefined) {
    throw invalidRequest('config.project_id is required where no service_account names the project');
  }
  return { settings, secret };
}

function parseKey(value: unknown): Settings {
  const key = configObject(value, 'config.key', KEY_FIELDS);
  const version = key.key_version;
  if (typeof version !== 'number' || !Number.isInteger(version) || version < 1 || version > MAX_VERSION) {
    throw invalidRequest(`config.key.key_version must be an integer from 1 to ${MAX_VERSION}`);
  }
  const id: [RegExp, string] = [RESOURCE_ID, '1 to 63 letters, digits, dashes or underscores'];
  return {
    'key.location': text(key.location, 'config.key.location', [LOCATION, 'a location such as europe-west1']),
    'key.key_ring_id': text(key.key_ring_id, 'config.key.key_ring_id', id),
    'key.key_id': text(key.key_id, 'config.key.key_id', id),
    'key.key_version': version,
  };
}

/** Adds the plain-text fields to the settings. @returns the private key */
function parseAccount(value: unknown, settings: Settings, sources: SignerSources): Secret {
  const path = 'config.service_account';
  const account = configObject(value, path, SERVICE_ACCOUNT_FIELDS);
  for (const name of SERVICE_ACCOUNT_TEXTS) {
    if (account[name] === undefined && name !== 'client_email') continue;
    const given = revealed(account, name, sources);
    settings[`service_account.${name}`] = text(given, `${path}.${name}`, RULES[name]);
  }
  return privateKey(revealed(account, 'private_key', sources), `${path}.private_key`);
}

/** Configuration files may give any field as a reference `{type, value}`; HTTP requests contain the text itself. */
function revealed(account: ConfigFields, name: string, sources: SignerSources): unknown {
  const value = account[name];
  if (typeof value !== 'object' || value === null) return value;
  return sources.secret(value, `config.service_account.${name}`).reveal();
}

/** Environment variables often contain the line breaks of a PEM as the two characters `\n`. */
function privateKey(value: unknown, path: string): Secret {
  const pem = typeof value === 'string' ? value.replaceAll('\\n', '\n') : '';
  if (pem.length > MAX_PRIVATE_KEY_LENGTH || !isRsaPrivateKey(pem)) {
    throw invalidRequest(`${path} must be an RSA private key in PEM`);
  }
  return new Secret(pem);
}

function isRsaPrivateKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function text(
  value: unknown,
  path: string,
  [pattern, rule]: [RegExp, string] = [LINE, 'a line of text'],
): string {
  return configText(value, path, pattern, rule);
}
