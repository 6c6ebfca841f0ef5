import { randomBytes } from 'node:crypto';
import { concat, keccak256, recoverAddress, SigningKey, TypedDataEncoder } from 'ethers';
import { DataSource } from 'typeorm';
import { RelayerEntity } from '../../src/relayers/relayer.entity';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';

/** The EIP-712 example, with the published values. */
const MAIL = {
  domain: {
    name: 'Ether Mail',
    version: '1',
    chainId: 1,
    verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
  },
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
  domainSeparator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  structHash: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
  digest: '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2',
  r: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d',
  s: '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562',
  v: 28,
};

describeService('Signing', ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow', privateKey: COW_KEY });
  });

  const sign = (domainSeparator: string, structHash: string, id = 'cow') =>
    service.post(`/api/v1/relayers/${id}/sign-typed-data`, {
      domain_separator: domainSeparator,
      hash_struct_message: structHash,
    });

  it('hashes the published example to the published values', () => {
    expect(TypedDataEncoder.hashDomain(MAIL.domain)).toBe(`0x${MAIL.domainSeparator}`);
    expect(TypedDataEncoder.hashStruct('Mail', MAIL.types, MAIL.message)).toBe(`0x${MAIL.structHash}`);
    expect(keccak256(concat(['0x1901', `0x${MAIL.domainSeparator}`, `0x${MAIL.structHash}`]))).toBe(
      MAIL.digest,
    );
  });

  it('signs the published example with the published signature', async () => {
    const response = await sign(MAIL.domainSeparator, MAIL.structHash);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      success: true,
      data: { r: MAIL.r, s: MAIL.s, v: MAIL.v, sig: `${MAIL.r}${MAIL.s}1c` },
      error: null,
    });
    expect(recoverAddress(MAIL.digest, `0x${response.body.data.sig}`)).toBe(COW_ADDRESS);
  });

  it.each([
    ['with 0x', `0x${MAIL.domainSeparator}`, `0x${MAIL.structHash}`],
    ['in upper case', MAIL.domainSeparator.toUpperCase(), MAIL.structHash.toUpperCase()],
    ['mixed', `0x${MAIL.domainSeparator.toUpperCase()}`, MAIL.structHash],
  ])('accepts hashes %s', async (_form, domainSeparator, structHash) => {
    expect((await sign(domainSeparator, structHash)).body.data.r).toBe(MAIL.r);
  });

  it('agrees with ethers on 1000 random digests', async () => {
    const key = new SigningKey(`0x${COW_KEY}`);
    for (let batch = 0; batch < 50; batch += 1) {
      await Promise.all(
        Array.from({ length: 20 }, async () => {
          const [domain, struct] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
          const expected = key.sign(keccak256(concat(['0x1901', `0x${domain}`, `0x${struct}`])));
          const { data } = (await sign(domain, struct)).body;
          expect(data).toEqual({
            r: expected.r.slice(2),
            s: expected.s.slice(2),
            v: expected.v,
            sig: expected.serialized.slice(2),
          });
        }),
      );
    }
  });

  it('refuses an unknown relayer', async () => {
    const response = await sign(MAIL.domainSeparator, MAIL.structHash, 'nobody');
    expect(response.status).toBe(404);
    expect(response.body.message).toBe('Relayer with ID nobody not found');
  });

  it('rejects a paused relayer, and signs for a relayer that is only disabled', async () => {
    await addRelayer(service, { id: 'resting', paused: true });
    await service.app
      .get(DataSource)
      .getRepository(RelayerEntity)
      .update(
        { id: 'resting' },
        {
          systemDisabled: true,
          disabledReason: { type: 'BalanceCheckFailed', details: 'Insufficient balance' },
        },
      );
    const paused = await sign(MAIL.domainSeparator, MAIL.structHash, 'resting');
    expect([paused.status, paused.body.message, paused.body.error]).toEqual([
      403,
      'Relayer paused',
      'Relayer paused',
    ]);
    await service.patch('/api/v1/relayers/resting', { paused: false });
    expect((await sign(MAIL.domainSeparator, MAIL.structHash, 'resting')).status).toBe(200);
  });

  it.each(['solana', 'stellar'] as const)('refuses a %s relayer', async (networkType) => {
    await addRelayer(service, { id: networkType, networkType });
    const response = await sign(MAIL.domainSeparator, MAIL.structHash, networkType);
    expect(response.status).toBe(400);
    expect(response.body).toMatchObject({
      message: 'Bad Request',
      error: `a relayer of network type ${networkType} cannot sign typed data`,
    });
  });

  it('signs again at once after a pause was lifted', async () => {
    await addRelayer(service, { id: 'toggled' });
    await service.patch('/api/v1/relayers/toggled', { paused: true });
    expect((await sign(MAIL.domainSeparator, MAIL.structHash, 'toggled')).status).toBe(403);
    await service.patch('/api/v1/relayers/toggled', { paused: false });
    expect((await sign(MAIL.domainSeparator, MAIL.structHash, 'toggled')).status).toBe(200);
  });
});
