import { ClientShares, currentSharer, type Sharer } from './client-shares';
import { currentRequest, runWithRequest } from './request-context';

describe('ClientShares', () => {
  const [one, other, third] = ['one', 'other', 'third'].map((id) => ({ id, whose: ` of ${id}` }));

  it('gives each client a part of what all others leave', () => {
    const shares = new ClientShares(100, 80);
    expect(shares.take(81, one)).toBe(' of one');
    expect(shares.take(80, one)).toBeUndefined();
    expect(shares.take(17, other)).toBe(' of other');
    expect(shares.take(16, other)).toBeUndefined();
    expect(shares.take(1, one)).toBe(' of one');
    expect(shares.take(4, third)).toBe(' of third');
    expect(shares.take(3, third)).toBeUndefined();
    expect(shares.inUse).toBe(99);
    shares.release(80, one);
    expect(shares.take(48, other)).toBeUndefined();
    expect(shares.inUse).toBe(67);
  });

  it('gives everything that is left to a client without a share', () => {
    const shares = new ClientShares(100, 50);
    expect(shares.take(50, one)).toBeUndefined();
    expect(shares.take(50, undefined)).toBeUndefined();
    expect(shares.take(1, undefined)).toBe('');
    expect(shares.take(1, other)).toBe('');
    shares.release(50, undefined);
    expect(shares.take(25, other)).toBeUndefined();
  });
});

describe('currentSharer', () => {
  const sharerOf = (keyId: string | undefined, address?: string) => {
    let found: Sharer | undefined;
    runWithRequest(
      'id',
      () => {
        currentRequest()!.keyId = keyId;
        found = currentSharer();
      },
      address,
    );
    return found;
  };

  it('is the API key, except for the root key; before authentication, it is the client network', () => {
    expect(sharerOf('key', '192.0.2.1')).toEqual({ id: 'key', whose: ' of this API key' });
    expect(sharerOf('root', '192.0.2.1')).toBeUndefined();
    const network = { id: 'address 20010db800010002::/64', whose: ' of this client address' };
    expect(sharerOf(undefined, '2001:db8:1:2::1')).toEqual(network);
    expect(sharerOf(undefined, '2001:db8:1:2::2')).toEqual(network);
    expect(currentSharer()).toBeUndefined();
  });
});
