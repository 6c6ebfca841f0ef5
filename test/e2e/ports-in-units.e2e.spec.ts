import { randomBytes } from 'node:crypto';
import { RelayersApi, SigningApi, TransactionsApi, UnitOfWork } from '../../src/public';
import { ROOT } from '../../src/access/principal';
import { currentRequest, runWithRequest } from '../../src/common/http/request-context';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';

const BODY = { to: `0x${'35'.repeat(20)}`, value: '1', speed: 'fast' };
const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };
const PAGE = { page: 1, per_page: 10 };

/** Runs work in a request with the root key. */
const asRoot = <T>(work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    runWithRequest('in-unit', () => {
      const request = currentRequest();
      if (request) request.principal = ROOT;
      work().then(resolve, reject);
    });
  });

describeService('Ports in a unit of work', { settings: { APPROVALS: 'loosen_policy=1' } }, ({ service }) => {
  let id: string;
  let unitOfWork: UnitOfWork;
  let relayers: RelayersApi;

  const port = <T>(token: abstract new () => T): T => service.app.get<T>(token, { strict: false });

  beforeAll(async () => {
    ({ id } = await addRelayer(service));
    unitOfWork = service.app.get(UnitOfWork, { strict: false });
    relayers = port(RelayersApi);
  });

  const audited = async (): Promise<string[]> => {
    const { body } = await service.get(`/api/v1/audit-events?relayer_id=${id}`);
    return (body.data as { action: string }[]).map(({ action }) => action);
  };

  it('sign nothing, because the record of the signature could be rolled back', async () => {
    const before = await audited();
    const signing = port(SigningApi);
    const calls: [string, () => Promise<unknown>][] = [
      ['signTypedData', () => signing.signTypedData(id, HASHES)],
      ['signTypedDataBatch', () => signing.signTypedDataBatch(id, [HASHES])],
      ['signMessage', () => signing.signMessage(id, { message: 'not recorded' })],
      ['signTransaction', () => signing.signTransaction(id, '0x02')],
    ];
    for (const [name, call] of calls)
      await expect(unitOfWork.run(call)).rejects.toThrow(
        `SigningApi.${name} must not be called in a unit of work: call it before or after`,
      );
    expect(await audited()).toEqual(before);
    expect((await signing.signMessage(id, { message: 'recorded' })).sig).toMatch(/^[0-9a-f]{130}$/);
    expect(await audited()).toEqual(['signature.create', ...before]);
  });

  it('send nothing and wait for nothing, which would block the database', async () => {
    const transactions = port(TransactionsApi);
    const calls: [string, () => Promise<unknown>][] = [
      ['submit', () => transactions.submit(id, BODY)],
      ['submitBatch', () => transactions.submitBatch(id, { transactions: [BODY] })],
      ['waitFor', () => transactions.waitFor(id, 'any', 'mined')],
      ['replace', () => transactions.replace(id, 'any', BODY)],
      ['cancel', () => transactions.cancel(id, 'any')],
      ['cancelPending', () => transactions.cancelPending(id)],
    ];
    for (const [name, call] of calls)
      await expect(unitOfWork.run(call)).rejects.toThrow(
        `TransactionsApi.${name} must not be called in a unit of work: call it before or after`,
      );
  });

  it('create no relayer, which could be stored without the approval that it needs', async () => {
    const key = service.keepSecret(randomBytes(32).toString('hex'));
    await service.post('/api/v1/signers', { id: 'new', type: 'plain', config: { key } });
    const relayer = { id: 'new', name: 'New', network: 'sepolia', signer_id: 'new', paused: false } as const;
    const create = () => relayers.create({ ...relayer, network_type: 'evm' });
    await expect(asRoot(() => unitOfWork.run(create))).rejects.toThrow(
      'RelayersApi.create must not be called in a unit of work: call it before or after',
    );
    expect((await relayers.list(PAGE)).items.map((one) => one.id)).toEqual([id]);
    expect(await asRoot(create)).toMatchObject({ status: 'pending' });
  });

  it('read, change and delete, as part of the unit of work', async () => {
    await expect(
      unitOfWork.run(async () => {
        await relayers.update(id, { name: 'Renamed' });
        expect((await relayers.get(id)).name).toBe('Renamed');
        expect((await relayers.list(PAGE)).items.map(({ name }) => name)).toEqual(['Renamed']);
        expect((await port(TransactionsApi).list(id, PAGE)).items).toEqual([]);
        throw new Error('rolled back');
      }),
    ).rejects.toThrow('rolled back');
    expect((await relayers.get(id)).name).not.toBe('Renamed');
  });
});
