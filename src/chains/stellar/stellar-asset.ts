import { validationRule } from '../../common/validation/validation-rule';
import { isStrKey, STRKEY_ACCOUNT, STRKEY_CONTRACT } from './strkey';

/** The form of a Stellar asset in OpenAPI. */
export const STELLAR_ASSET_PATTERN = '^(native|XLM|C[A-Z2-7]{55}|[A-Za-z0-9]{1,12}:G[A-Z2-7]{55})$';

/** A Stellar asset: `native`, `XLM`, `CODE:ISSUER` or a contract's address. */
export function IsStellarAsset(): PropertyDecorator {
  return validationRule(
    'isStellarAsset',
    isStellarAsset,
    '$property must be native, XLM, CODE:ISSUER or the address of a contract',
  );
}

function isStellarAsset(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (value === 'native' || value === 'XLM' || isStrKey(STRKEY_CONTRACT, value)) return true;
  const [code = '', issuer, ...rest] = value.split(':');
  return rest.length === 0 && /^[A-Za-z0-9]{1,12}$/.test(code) && isStrKey(STRKEY_ACCOUNT, issuer);
}
