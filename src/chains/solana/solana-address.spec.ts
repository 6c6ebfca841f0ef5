import { validateSync } from 'class-validator';
import { IsSolanaAddress } from './solana-address';

class Account {
  @IsSolanaAddress()
  value: unknown;
}

const accepts = (value: unknown): boolean =>
  validateSync(Object.assign(new Account(), { value })).length === 0;

describe('IsSolanaAddress', () => {
  it.each([
    ['a mint', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['the token program', 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'],
    ['the system program', '11111111111111111111111111111111'],
    ['a key with a leading zero byte', 'So11111111111111111111111111111111111111112'],
    ['the largest key', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFG'],
  ])('accepts %s', (_what, value) => {
    expect(accepts(value)).toBe(true);
  });

  it.each([
    ['31 bytes', '1111111111111111111111111111111'],
    ['33 bytes', '111111111111111111111111111111111'],
    ['a number above 32 bytes', 'JEKNVnkbo3jma5nREBBJCDoXFVeKkD56V3xKrvRmWxFH'],
    ['a letter that base58 does not use', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10'],
    ['an EVM address', '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'],
    ['white space', ' EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['nothing', ''],
    ['null', null],
    ['a number', 1],
    ['a list', ['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v']],
    ['a long text', '1'.repeat(100_000)],
  ])('refuses %s', (_what, value) => {
    expect(accepts(value)).toBe(false);
  });
});
