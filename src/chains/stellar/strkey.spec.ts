import { encodeStrKey, isStrKey, STRKEY_ACCOUNT, STRKEY_CONTRACT } from './strkey';

/** Test 1, account 0 of SEP-0005. */
const PUBLIC = 'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6';
const PUBLIC_KEY = 'e3726830a0b60cb5f52c844cffcd4eed65eba5c155e89b26411562724e71e544';
const SECRET = 'SBGWSG6BTNCKCOB3DIFBGCVMUPQFYPA2G4O34RMTB343OYPXU5DJDVMN';
const SEED = '4d691bc19b44a1383b1a0a130aaca3e05c3c1a371dbe45930ef9b761f7a74691';
const STRKEY_SEED = 18 << 3;

describe('encodeStrKey', () => {
  it.each([
    ['account', STRKEY_ACCOUNT, PUBLIC_KEY, PUBLIC],
    ['seed', STRKEY_SEED, SEED, SECRET],
    [
      'contract',
      STRKEY_CONTRACT,
      '00'.repeat(32),
      'CAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABSC4',
    ],
  ])('encodes a %s', (_what, version, payload, text) => {
    expect(encodeStrKey(version, Buffer.from(payload, 'hex'))).toBe(text);
  });
});

describe('isStrKey', () => {
  it('accepts only the text of the given version', () => {
    expect(isStrKey(STRKEY_ACCOUNT, PUBLIC)).toBe(true);
    expect(isStrKey(STRKEY_SEED, SECRET)).toBe(true);
    expect(isStrKey(STRKEY_CONTRACT, PUBLIC)).toBe(false);
    expect(isStrKey(STRKEY_ACCOUNT, SECRET)).toBe(false);
  });

  it('refuses a text in which any letter is changed', () => {
    for (let i = 0; i < PUBLIC.length; i += 1) {
      const other = PUBLIC[i] === 'A' ? 'B' : 'A';
      expect(isStrKey(STRKEY_ACCOUNT, PUBLIC.slice(0, i) + other + PUBLIC.slice(i + 1))).toBe(false);
    }
  });

  it.each([
    PUBLIC.toLowerCase(),
    PUBLIC.slice(0, -1),
    `${PUBLIC}A`,
    `${PUBLIC}\n`,
    ` ${PUBLIC.slice(1)}`,
    PUBLIC.replace('X', '1'),
    '',
    null,
    undefined,
    5,
    [PUBLIC],
  ])('refuses %j', (text) => {
    expect(isStrKey(STRKEY_ACCOUNT, text)).toBe(false);
  });
});
