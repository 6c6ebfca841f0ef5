import { getMetadataArgsStorage } from 'typeorm';
import { AuditEventEntity } from './audit-event.entity';
import { HASHED_COLUMNS, type UnhashedEvent, firstHash, hashOf } from './row-hash';

const EVENT: UnhashedEvent = {
  chain: 7,
  sequence: 1,
  at: new Date('2026-01-31T12:00:00.123Z'),
  keyId: 'root',
  action: 'signature.create',
  relayerId: 'demo',
  signerId: 'signer',
  requestId: 'request',
  clientIp: '192.0.2.1',
  outcome: 'success',
  code: null,
  digest: 'ab'.repeat(32),
  form: 'typed_data_hashes',
  changes: null,
};

describe('The hash of an audit event', () => {
  // echo -n '["audit chain",7,"host:1:2026-01-31"]' | sha256sum
  const FIRST = '499332695ee6903bd2db8549f642f4c82b13753730807a2920e8fb7a7f72d9fd';

  it('starts from the number and the name of the chain', () => {
    expect(firstHash(7, 'host:1:2026-01-31')).toBe(FIRST);
  });

  it('is the SHA-256 of the previous hash and every column', () => {
    // echo -n '["<FIRST>",7,1,1769860800123,"root","signature.create","demo","signer","request","192.0.2.1","success",null,"abab…","typed_data_hashes",null]' | sha256sum
    expect(hashOf(FIRST, EVENT)).toBe('e66c897e00275e9420e9717b3d85cbfef6cacd1fd8a9bef5594dcabfaa197dc9');
  });

  it('includes the changes as JSON with sorted members', () => {
    // As above, with "{\"id\":{\"after\":\"x\",\"before\":null}}" in place of the last null
    const changes = { id: { before: null, after: 'x' } };
    expect(hashOf(FIRST, { ...EVENT, changes })).toBe(
      'b1b03211420c0cccab5f17d01c56ef61370675c956e24e34431681a4093746dd',
    );
  });

  it('covers every column of the table except itself', () => {
    const columns = getMetadataArgsStorage()
      .columns.filter(({ target }) => target === AuditEventEntity)
      .map(({ propertyName }) => propertyName);
    expect(columns.sort()).toEqual([...HASHED_COLUMNS, 'hash'].sort());
  });

  it('does not depend on the order in which a database returns members', () => {
    const changes = { b: { before: 1, after: { y: 1, x: 2 } }, a: { before: null, after: '' } };
    const reordered = { a: { after: '', before: null }, b: { after: { x: 2, y: 1 }, before: 1 } };
    expect(hashOf(FIRST, { ...EVENT, changes })).toBe(hashOf(FIRST, { ...EVENT, changes: reordered }));
  });

  it.each([
    ['chain', 8],
    ['sequence', 2],
    ['at', new Date('2026-01-31T12:00:00.124Z')],
    ['keyId', null],
    ['action', 'signature.creat'],
    ['relayerId', 'null'],
    ['signerId', null],
    ['requestId', ''],
    ['clientIp', null],
    ['outcome', 'failure'],
    ['code', 'null'],
    ['digest', null],
    ['form', 'message'],
    ['changes', {}],
  ])('changes with %s', (column, value) => {
    expect(hashOf(FIRST, { ...EVENT, [column]: value })).not.toBe(hashOf(FIRST, EVENT));
    expect(hashOf(firstHash(7, 'other'), EVENT)).not.toBe(hashOf(FIRST, EVENT));
  });

  it('changes when a value moves to the next column', () => {
    expect(hashOf(FIRST, { ...EVENT, relayerId: null, signerId: 'demo' })).not.toBe(
      hashOf(FIRST, { ...EVENT, relayerId: 'demo', signerId: null }),
    );
  });
});
