import { validateSync } from 'class-validator';
import { checksummed, IsEvmAddress } from './address';

/** The test cases of EIP-55. */
const PUBLISHED = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
  '0x27b1fdb04752bbc536007a920d24acb045561c26',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb',
];

const INVALID = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD',
  '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
  'XE65GB6LDNXYOFTX0NSV3FUWKOWIXAMJK36',
  '5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0X5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAe',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed0',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeg',
  ' 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n',
  'vitalik.eth',
  '0x',
  '',
  null,
  undefined,
  0,
  {},
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
];

class Account {
  @IsEvmAddress()
  address: unknown;
}

const accepts = (address: unknown): boolean =>
  validateSync(Object.assign(new Account(), { address })).length === 0;

describe('checksummed', () => {
  it.each(PUBLISHED)('returns %s unchanged', (address) => {
    expect(checksummed(address)).toBe(address);
  });

  it.each(PUBLISHED)('converts the lower-case and upper-case forms to %s', (address) => {
    expect(checksummed(address.toLowerCase())).toBe(address);
    expect(checksummed(`0x${address.slice(2).toUpperCase()}`)).toBe(address);
  });

  it.each(INVALID)('returns undefined for %j', (address) => {
    expect(checksummed(address)).toBeUndefined();
  });
});

describe('IsEvmAddress', () => {
  it.each(PUBLISHED)('accepts %s', (address) => {
    expect(accepts(address)).toBe(true);
  });

  it.each(INVALID)('refuses %j', (address) => {
    expect(accepts(address)).toBe(false);
  });
});
