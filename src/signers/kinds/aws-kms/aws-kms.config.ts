import { invalidRequest } from '../../../common/errors/domain-error';
import { configObject, configText } from '../../key-services/config-fields';

/** The settings of a signer whose key is in AWS KMS. */
export interface AwsKmsSettings {
  key_id: string;
  region: string;
}

/** The characters of key ids, aliases and their ARNs (AWS KMS API reference, KeyId: 1 to 2048 characters). */
const KEY_ID =
  /^(arn:aws[a-z-]*:kms:[a-z0-9-]+:\d{12}:)?(alias|key)\/[A-Za-z0-9/_-]{1,1024}$|^[A-Za-z0-9-]{1,64}$/;
const ARN_REGION = /^arn:[^:]+:kms:([^:]+):/;
/** The region becomes part of a host name. */
const REGION = /^[a-z]{2,8}(-[a-z]{2,16}){1,3}-\d{1,2}$/;
export const REGION_RULE = 'an AWS region such as eu-central-1';

export const isAwsRegion = (text: string): boolean => REGION.test(text);

/**
 * Checks `{key_id, region?}`.
 *
 * @returns includes the region of the key's ARN, if it has one
 * @throws DomainError `invalid_request`
 */
export function parseAwsKmsConfig(config: unknown): { key_id: string; region: string | undefined } {
  const fields = configObject(config, 'config', ['key_id', 'region']);
  const keyId = configText(
    fields.key_id,
    'config.key_id',
    KEY_ID,
    'a key id, alias/<name> or the ARN of either',
  );
  const arnRegion = ARN_REGION.exec(keyId)?.[1];
  if (arnRegion !== undefined && !isAwsRegion(arnRegion))
    throw invalidRequest(`the region of the ARN in config.key_id must be ${REGION_RULE}`);
  if (fields.region === undefined) return { key_id: keyId, region: arnRegion };
  const region = configText(fields.region, 'config.region', REGION, REGION_RULE);
  if (arnRegion !== undefined && arnRegion !== region) {
    throw invalidRequest(`config.region is ${region}, but the ARN in config.key_id is of ${arnRegion}`);
  }
  return { key_id: keyId, region };
}
