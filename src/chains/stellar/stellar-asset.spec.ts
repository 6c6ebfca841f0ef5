import { validateSync } from 'class-validator';
import { IsStellarAsset } from './stellar-asset';

const ISSUER = 'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6';

class Asset {
  @IsStellarAsset()
  value: unknown;
}

const accepts = (value: unknown): boolean => validateSync(Object.assign(new Asset(), { value })).length === 0;

describe('IsStellarAsset', () => {
  it.each([
    'native',
    'XLM',
    `USDC:${ISSUER}`,
    `A:${ISSUER}`,
    `ABCDEFGHIJ12:${ISSUER}`,
    'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSC4',
  ])('accepts %s', (value) => {
    expect(accepts(value)).toBe(true);
  });

  it.each([
    '',
    'Native',
    'xlm',
    'USDC',
    'USDC:',
    `:${ISSUER}`,
    ISSUER,
    `ABCDEFGHIJ123:${ISSUER}`,
    `US-DC:${ISSUER}`,
    `USDC:${ISSUER}:x`,
    `USDC:${ISSUER.toLowerCase()}`,
    'USDC:GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ7',
    'USDC:SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN',
    'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSC5',
    null,
    7,
    {},
  ])('refuses %j', (value) => {
    expect(accepts(value)).toBe(false);
  });
});
