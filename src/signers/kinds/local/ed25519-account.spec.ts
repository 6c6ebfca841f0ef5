import { ed25519PublicKey, solanaAddress, stellarAddress } from './ed25519-account';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('Ed25519 accounts', () => {
  // RFC 8032 §7.1, tests 1 to 3.
  it.each([
    [
      '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
      'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    ],
    [
      '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
      '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    ],
    [
      'c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7',
      'fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025',
    ],
  ])('derives the public key of %s', (seed, publicKey) => {
    expect(ed25519PublicKey(hex(seed)).toString('hex')).toBe(publicKey);
  });

  it('encodes the Solana and Stellar addresses of the RFC 8032 key', () => {
    const seed = hex('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60');
    expect(solanaAddress(seed)).toBe('FVen3X669xLzsi6N2V91DoiyzHzg1uAgqiT8jZ9nS96Z');
    expect(stellarAddress(seed)).toBe('GDLVVGABQKYQVN6VJP7NHSLEA45A5YLS6PNKMIZFV4BBU2HXA5IRVHUR');
  });

  it('encodes the Stellar address of SEP-0005, test 1', () => {
    expect(stellarAddress(hex('4d691bc19b44a1383b1a0a130aaca3e05c3c1a371dbe45930ef9b761f7a74691'))).toBe(
      'GDRXE2BQUC3AZNPVFSCEZ76NJ3WWL25FYFK6RGZGIEKWE4SOOHSUJUJ6',
    );
  });

  it('encodes each leading zero byte of a Solana key as 1', () => {
    const seed = hex('0000000000000000000000000000000000000000000000000000000000000024');
    expect(ed25519PublicKey(seed).toString('hex')).toMatch(/^0000/);
    expect(solanaAddress(seed)).toBe('117Kd6qCwXHybDT6XehPL8sbEMWsXeTqGimVfcU2ev5');
  });

  it.each([0, 16, 31])('refuses a seed of %d bytes', (size) => {
    expect(() => ed25519PublicKey(Buffer.alloc(size, 1))).toThrow();
  });
});
