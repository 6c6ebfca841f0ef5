import { DataSource } from 'typeorm';
import { recoverAddress } from 'ethers';
import { NetworkEntity } from '../../src/networks/network.entity';
import { addRelayer, COW_ADDRESS, COW_KEY } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';
import { MAIL, MAIL_DIGEST, VECTORS } from '../support/typed-data/vectors';
import { sealRows } from '../support/row-macs';

const HASHES = {
  domain_separator: 'f2cee375fa42b42143804025fc449deafd50cc031ca257e0b194a650a912090f',
  hash_struct_message: 'c52c0ee5d84264471806290a3f2c4cecfc5490626bf912d01f240d7a274b371e',
};
/** The signature published in the EIP. */
const MAIL_SIGNATURE = {
  r: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d',
  s: '07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b91562',
  sig: '4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
  v: 28,
};
const MAIL_RESPONSE = { ...MAIL_SIGNATURE, digest: MAIL_DIGEST.slice(2) };
const WITHOUT_CHAIN = { ...MAIL, domain: { name: 'Ether Mail' } };

describeService('sign-typed-data', { settings: { RATE_LIMIT_BURST_SIZE: '2000' } }, ({ service }) => {
  beforeAll(async () => {
    await addRelayer(service, { id: 'cow', privateKey: COW_KEY, network: 'mainnet' });
  });

  const sign = (body: unknown, id = 'cow') => service.post(`/api/v1/relayers/${id}/sign-typed-data`, body);
  const signBatch = (items: unknown, id = 'cow') =>
    service.post(`/api/v1/relayers/${id}/sign-typed-data/batch`, { items });

  it('signs the published example with the published signature, and returns the digest', async () => {
    const response = await sign(MAIL);
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ success: true, data: MAIL_RESPONSE, error: null });
  });

  it('stops signing a batch when its caller disconnects', async () => {
    const list = { ...WITHOUT_CHAIN, types: { A: [{ name: 'a', type: 'uint8[]' }] }, primaryType: 'A' };
    const items = Array<unknown>(400).fill({ ...list, message: { a: Array(200).fill(1) } });
    const signed = async (): Promise<number> => {
      const { text } = await service.get('/metrics/signatures_total');
      return Number(/kind="local",outcome="success"} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const before = await signed();
    const caller = new AbortController();
    const response = service.call({
      method: 'POST',
      path: '/api/v1/relayers/cow/sign-typed-data/batch',
      body: { items },
      signal: caller.signal,
    });
    await until('signatures', async () => (await signed()) > before);
    caller.abort();
    await expect(response).rejects.toThrow('abort');
    let [earlier, now] = [0, await signed()];
    while (now > earlier) {
      await new Promise((resolve) => setTimeout(resolve, 200));
      [earlier, now] = [now, await signed()];
    }
    expect(now - before).toBeLessThan(items.length);
  });

  it('returns no digest for hashes', async () => {
    expect((await sign(HASHES)).body.data).toEqual(MAIL_SIGNATURE);
  });

  it.each(VECTORS.filter(({ title }) => !title.includes('Safe')))(
    'signs $title',
    async ({ data, digest }) => {
      const { body } = await sign(data);
      expect(body.data.digest).toBe(digest.slice(2));
      expect(recoverAddress(digest, `0x${body.data.sig}`)).toBe(COW_ADDRESS);
    },
  );

  it.each([
    [
      'both forms',
      { ...MAIL, ...HASHES },
      'either domain_separator and hash_struct_message or domain, types, primaryType, message must be given, not both',
    ],
    [
      'one hash beside full data',
      { ...MAIL, domain_separator: HASHES.domain_separator },
      'either domain_separator and hash_struct_message or domain, types, primaryType, message must be given, not both',
    ],
    ['a part', { domain: {}, message: {} }, 'types is missing; primaryType is missing'],
    ['an additional field', { ...MAIL, memo: 1 }, 'memo is not a known field'],
    [
      'a bad value',
      { ...MAIL, message: { ...(MAIL.message as object), contents: 5 } },
      'message.contents must be a string',
    ],
    [
      'a prototype',
      JSON.stringify(MAIL).replace('"contents":"Hello', '"__proto__":"Hello'),
      'message.__proto__ is not allowed as a field name',
    ],
    [
      'a rounded integer',
      JSON.stringify(MAIL).replace('"chainId":1', '"chainId":9007199254740993'),
      'domain.chainId is a number that JSON clients round (beyond 2^53-1 or over 15 digits): send it as a decimal string',
    ],
    [
      'too much',
      { ...MAIL, message: { ...(MAIL.message as object), contents: 'x'.repeat(256 * 1024) } },
      'typed data is larger than 256 KiB',
    ],
    [
      'another chain',
      { ...MAIL, domain: { name: 'x', chainId: 11155111 } },
      'domain.chainId must be 1, the chain id of network mainnet',
    ],
  ])('refuses %s', async (_what, body, error) => {
    const response = await sign(body);
    expect([response.status, response.body.message, response.body.error]).toEqual([
      400,
      'Bad Request',
      error,
    ]);
  });

  it('refuses a chain id that cannot be checked, but does not require one', async () => {
    await addRelayer(service, { id: 'unknown-chain', network: 'nameless' });
    await service.app
      .get(DataSource)
      .getRepository(NetworkEntity)
      .update({ id: 'evm:nameless' }, { chainId: null });
    await sealRows(service, NetworkEntity);
    const response = await sign(MAIL, 'unknown-chain');
    expect([response.status, response.body.error]).toEqual([
      400,
      'domain.chainId cannot be checked: the chain id of network nameless is not known',
    ]);
    expect((await sign(WITHOUT_CHAIN, 'unknown-chain')).status).toBe(200);
  });

  it.each(['solana', 'stellar'] as const)('refuses a %s relayer', async (networkType) => {
    await addRelayer(service, { id: networkType, networkType });
    for (const response of [await sign(MAIL, networkType), await signBatch([MAIL], networkType)]) {
      expect([response.status, response.body.error]).toEqual([
        400,
        `a relayer of network type ${networkType} cannot sign typed data`,
      ]);
    }
  });

  describe('in batches', () => {
    const ofType = (i: number) => ({
      domain: { name: 'Types' },
      types: { [`Type${i}`]: [{ name: 'amount', type: 'uint256' }] },
      primaryType: `Type${i}`,
      message: { amount: i },
    });

    it('signs 1000 items with a different type each', async () => {
      const { body } = await signBatch(Array.from({ length: 1000 }, (_, i) => ofType(i)));
      expect(body.error).toBeNull();
      expect((body.data as { success: boolean }[]).filter(({ success }) => success)).toHaveLength(1000);
    });

    it('reports the limit if objects that begin alike continue with too many names', async () => {
      const items = Array.from({ length: 1000 }, (_, i) => ({
        ...ofType(i),
        types: { [`Type${i}`]: [{ name: `amount${i}`, type: 'uint256' }] },
        message: { [`amount${i}`]: i },
      }));
      expect((await signBatch(items)).body).toMatchObject({
        message: 'Bad Request',
        error:
          'the request body has objects that begin alike and continue with more than 1500 different names: send fewer of them at once',
      });
      const { body } = await signBatch(items.slice(0, 700));
      expect((body.data as { success: boolean }[]).filter(({ success }) => success)).toHaveLength(700);
    });

    it('signs items of both forms in order, and fails only the invalid items', async () => {
      const response = await signBatch([
        HASHES,
        { ...MAIL, message: {} },
        MAIL,
        5,
        { ...MAIL, ...HASHES },
        HASHES,
      ]);
      expect(response.status).toBe(200);
      expect(response.body.data).toEqual([
        { success: true, data: MAIL_SIGNATURE },
        { success: false, error: 'message.from is missing: an object: a Person' },
        { success: true, data: MAIL_RESPONSE },
        { success: false, error: 'typed data must be an object' },
        {
          success: false,
          error:
            'either domain_separator and hash_struct_message or domain, types, primaryType, message must be given, not both',
        },
        { success: true, data: MAIL_SIGNATURE },
      ]);
    });

    it('signs 1000 items', async () => {
      const items = Array.from({ length: 1000 }, (_, i) => ({
        ...WITHOUT_CHAIN,
        message: { ...(MAIL.message as object), contents: `Hello ${i}` },
      }));
      const { data } = (await signBatch(items)).body as { data: { data: { sig: string; digest: string } }[] };
      expect(data).toHaveLength(1000);
      expect(new Set(data.map((item) => item.data.digest)).size).toBe(1000);
      for (const item of [data[0]!, data[999]!]) {
        expect(recoverAddress(`0x${item.data.digest}`, `0x${item.data.sig}`)).toBe(COW_ADDRESS);
      }
    });

    it.each([
      ['no items', undefined],
      ['null', null],
      ['an object', {}],
      ['an empty list', []],
      ['1001 items', Array.from({ length: 1001 }, () => HASHES)],
    ])('refuses %s', async (_what, items) => {
      const response = await signBatch(items);
      expect([response.status, response.body.error]).toEqual([
        400,
        'items must be an array of 1 to 1000 requests',
      ]);
    });

    it('refuses the whole batch for an unknown field, an unknown relayer or a paused relayer', async () => {
      const path = '/api/v1/relayers/cow/sign-typed-data/batch';
      expect((await service.post(path, { items: [HASHES], parallel: true })).body.error).toBe(
        'parallel is not a known field',
      );
      expect((await signBatch([HASHES], 'nobody')).status).toBe(404);
      await addRelayer(service, { id: 'resting', paused: true });
      const response = await signBatch([HASHES], 'resting');
      expect([response.status, response.body.message]).toEqual([403, 'Relayer paused']);
    });
  });

  describe('under a policy', () => {
    const allow = async (typedData: unknown) => {
      const response = await service.patch('/api/v1/relayers/guarded', {
        policies: { typed_data: typedData },
      });
      expect(response.status).toBe(200);
      return response.body.data.policies?.typed_data as unknown;
    };
    const outcome = async (body: unknown) => {
      const { status, body: response } = await sign(body, 'guarded');
      return status === 200 ? 200 : [status, response.message, response.error];
    };
    const refused = (rule: string) => [403, 'Typed data not allowed by policy', rule];
    const NO_HASHES = 'policies.typed_data is set, and policies.typed_data.allow_blind_hashes is not true';

    beforeAll(async () => {
      await addRelayer(service, { id: 'guarded', network: 'mainnet' });
    });

    it('signs everything by default', async () => {
      expect([await outcome(HASHES), await outcome(MAIL)]).toEqual([200, 200]);
    });

    it('forbids blind hashes from the next request on, and allows them again', async () => {
      await allow({ allow_blind_hashes: false });
      expect([await outcome(HASHES), await outcome(MAIL)]).toEqual([refused(NO_HASHES), 200]);
      await allow({ allow_blind_hashes: null });
      expect([await outcome(HASHES), await outcome(MAIL)]).toEqual([refused(NO_HASHES), 200]);
      await allow({ allow_blind_hashes: true });
      expect(await outcome(HASHES)).toBe(200);
      await allow(null);
      expect(await outcome(HASHES)).toBe(200);
    });

    it('signs typed data on the list, but blind hashes only if they are allowed too', async () => {
      const contract = '0xcccccccccccccccccccccccccccccccccccccccc';
      expect(await allow({ allowed: [{ verifying_contract: contract, primary_type: 'Mail' }] })).toEqual({
        allowed: [{ verifying_contract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC', primary_type: 'Mail' }],
      });
      expect([await outcome(MAIL), await outcome(WITHOUT_CHAIN), await outcome(HASHES)]).toEqual([
        200,
        refused(
          'no entry of policies.typed_data.allowed matches chain_id (none), verifying_contract (none), primary_type Mail',
        ),
        refused(NO_HASHES),
      ]);
      await allow({ allow_blind_hashes: true });
      expect([await outcome(HASHES), (await sign(WITHOUT_CHAIN, 'guarded')).status]).toEqual([200, 403]);
    });

    it('checks each item of a batch', async () => {
      await allow(null);
      await allow({ allowed: [{ chain_id: 1 }] });
      const { data } = (await signBatch([MAIL, HASHES, WITHOUT_CHAIN], 'guarded')).body;
      expect(data).toEqual([
        { success: true, data: expect.objectContaining({ digest: MAIL_DIGEST.slice(2) }) },
        {
          success: false,
          error: NO_HASHES,
        },
        {
          success: false,
          error:
            'no entry of policies.typed_data.allowed matches chain_id (none), verifying_contract (none), primary_type Mail',
        },
      ]);
    });

    it('counts the items of a batch by outcome in the metrics', async () => {
      const counted = async (outcome: string): Promise<number> => {
        const { text } = await service.get('/metrics/signing_batch_items_total');
        return Number(new RegExp(`outcome="${outcome}"} (\\d+)`).exec(text)?.[1] ?? 0);
      };
      const outcomes = ['success', 'invalid_request', 'typed_data_not_allowed'];
      const before = await Promise.all(outcomes.map(counted));
      await allow(null);
      await allow({ allowed: [{ chain_id: 1 }] });
      await signBatch([MAIL, HASHES, WITHOUT_CHAIN, {}, MAIL, MAIL], 'guarded');
      const after = await Promise.all(outcomes.map(counted));
      expect(after.map((count, i) => count - before[i]!)).toEqual([3, 1, 2]);
    });

    it('refuses a policy with an empty entry', async () => {
      const response = await service.patch('/api/v1/relayers/guarded', {
        policies: { typed_data: { allowed: [{}] } },
      });
      expect([response.status, response.body.error]).toEqual([
        400,
        'policies.typed_data.allowed[0] must have one of chain_id, verifying_contract, primary_type, fields',
      ]);
    });
  });
});

describeService(
  'Rate limit of batches',
  {
    settings: {
      RATE_LIMIT_REQUESTS_PER_SECOND: '1',
      RATE_LIMIT_BURST_SIZE: '100',
    },
    startFor: 'test',
  },
  ({ service }) => {
    beforeEach(async () => {
      await addRelayer(service, { id: 'cow' });
    });

    const batchOf = (count: number) =>
      service.post('/api/v1/relayers/cow/sign-typed-data/batch', {
        items: Array.from({ length: count }, () => HASHES),
      });

    it('counts each item', async () => {
      expect((await batchOf(60)).status).toBe(200);
      const refused = await batchOf(60);
      expect([refused.status, refused.body.message]).toEqual([429, 'Too Many Requests']);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(15);
      expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(21);
      expect((await batchOf(30)).status).toBe(200);
    });

    it('accepts a batch larger than the burst, and then refuses requests until it has refilled', async () => {
      expect((await batchOf(500)).status).toBe(200);
      const refused = await service.get('/api/v1/relayers');
      expect(refused.status).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(380);
    });
  },
);
