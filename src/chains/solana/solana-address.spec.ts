import { validateSync } from 'class-validator';
import { IsSolanaAddress, IsStellarAsset } from './solana-address';

const ISSUER = 'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6';

class Accounts {
  @IsSolanaAddress()
  solana: unknown;

  @IsStellarAsset()
  stellar: unknown;
}

const accepts = (member: keyof Accounts, value: unknown): boolean =>
  validateSync(Object.assign(new Accounts(), { [member]: value })).every(
    (fault) => fault.property !== member,
  );

describe('IsSolanaAddress', () => {
  it.each([
    ['a mint', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['the token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['the system program', '11111111111111111111111111111111'],
    ['a key with a leading zero byte', 'So11111111111111111111111111111111111111112'],
    ['the largest key', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'],
  ])('accepts %s', (_what, value) => {
    expect(accepts('solana', value)).toBe(true);
  });

  it.each([
    ['31 bytes', '1111111111111111111111111111111'],
    ['33 bytes', '111111111111111111111111111111111'],
    ['a number above 32 bytes', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH'],
    ['a letter that base58 leaves out', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10'],
    ['an EVM address', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'],
    ['white space', ' EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['nothing', ''],
    ['null', null],
    ['a number', 1],
    ['a list', ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v']],
    ['a long text', '1'.repeat(100_000)],
  ])('refuses %s', (_what, value) => {
    expect(accepts('solana', value)).toBe(false);
  });
});

describe('IsStellarAsset', () => {
  it.each([
    'native',
    'XLM',
    `USDC:${ISSUER}`,
    `A:${ISSUER}`,
    `ABCDEFGHIJ12:${ISSUER}`,
    'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSC4',
  ])('accepts %s', (value) => {
    expect(accepts('stellar', value)).toBe(true);
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
    expect(accepts('stellar', value)).toBe(false);
  });
});
