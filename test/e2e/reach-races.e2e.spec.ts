import { randomBytes } from 'node:crypto';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { SignerKeys } from '../../src/signers/opening/signer-keys';
import { SignerPool } from '../../src/signers/opening/signer-pool';
import { TestApplication } from '../support/application';
import { emptyTables } from '../support/builders';
import { createMariaDb, describeWithMariaDb } from '../support/databases';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { storageKey } from '../support/keys';

const RELAYERS = '/api/v1/relayers';
const ROUNDS = 8;

const newRelayer = (id: string, signer_id: string, network: string) => ({
  ...{ id, name: 'R', network, network_type: 'evm', signer_id, paused: true },
});

async function addSigner(service: TestApplication, id: string, key: string): Promise<void> {
  const signer = { id, type: 'plain', config: { key: service.keepSecret(key) } };
  expect((await service.post('/api/v1/signers', signer)).status).toBe(201);
}

/** Two keys that do not reach each other's relayer try to get relayers with the same private key. */
async function raceForKey(
  service: TestApplication,
  signersOf: (round: number) => readonly [string, string],
): Promise<void> {
  const [a, b] = [
    await KeyHolder.add(service, { relayers: ['a'] }),
    await KeyHolder.add(service, { relayers: ['b'] }),
  ];
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = randomBytes(32).toString('hex');
    const signers = signersOf(round);
    for (const id of new Set(signers)) await addSigner(service, id, key);
    const created = await Promise.all([
      a.call('POST', RELAYERS, newRelayer('a', signers[0], 'sepolia')),
      b.call('POST', RELAYERS, newRelayer('b', signers[1], 'mainnet')),
    ]);
    expect(created.map(({ status }) => status).sort()).toEqual([201, 403]);
    for (const id of ['a', 'b']) await service.call({ method: 'DELETE', path: `${RELAYERS}/${id}` });
  }
}

const twoSigners = (round: number) => [`s${round}`, `t${round}`] as const;

describeWithMariaDb('The reach of API keys, with the scheme mariadb:', () => {
  it('gives two signers with the same key to one of two API keys only', async () => {
    const database = await createMariaDb();
    const url = database.url.replace(/^mysql:/, 'mariadb:');
    const service = await TestApplication.start(
      { ...database, url },
      { STORAGE_ENCRYPTION_KEY: storageKey(1) },
    );
    try {
      await raceForKey(service, twoSigners);
    } finally {
      await service.close();
      await database.drop();
    }
  });
});

describeService('The reach of API keys, when several act at the same time', ({ service }) => {
  afterEach(() => emptyTables(service));

  it.each([
    ['one signer', (round: number) => [`s${round}`, `s${round}`] as const],
    ['two signers with the same key', twoSigners],
  ])('gives %s to one of two keys only', (_what, signersOf) => raceForKey(service, signersOf));

  it('does not let a rule for top-ups outlive its source, whose id another relayer could get', async () => {
    const own = await KeyHolder.add(service, { groups: ['own'] });
    for (const id of ['decoy', 'greedy']) {
      await addSigner(service, `of-${id}`, randomBytes(32).toString('hex'));
      const body = { ...newRelayer(id, `of-${id}`, 'sepolia'), group: 'own' };
      expect((await own.call('POST', RELAYERS, body)).status).toBe(201);
    }
    const rule = (top_up: object | null) => own.call('PATCH', `${RELAYERS}/greedy`, { policies: { top_up } });
    expect((await rule({ from_relayer: 'decoy', below: '1', to: '2' })).status).toBe(200);
    const path = `${RELAYERS}/decoy`;
    const byOwn = await own.call('DELETE', path);
    const byRoot = await service.call({ method: 'DELETE', path });
    for (const refused of [byOwn, byRoot])
      expect([refused.status, refused.body.error]).toEqual([
        409,
        "Relayer 'decoy' is in policies.top_up of 1 relayer(s): R (greedy): change these first",
      ]);
    expect((await rule(null)).status).toBe(200);
    expect((await own.call('DELETE', path)).status).toBe(200);
  });
});

describeService(
  'An approver who reaches only some relayers',
  { settings: { APPROVALS: 'unpause=1' } },
  ({ service }) => {
    afterEach(() => jest.restoreAllMocks());

    it('does not make a unit of work wait for a key service', async () => {
      const key = service.keepSecret(randomBytes(32).toString('hex'));
      await service.post('/api/v1/signers', { id: 's', type: 'plain', config: { key } });
      const requester = await KeyHolder.add(service);
      const approver = await KeyHolder.add(service, { scopes: ['approve'], relayers: ['new'] });
      const body = { id: 'new', name: 'R', network: 'sepolia', network_type: 'evm', signer_id: 's' };
      const pending = await requester.call('POST', RELAYERS, { ...body, paused: false });
      expect(pending.status).toBe(202);
      service.app.get(SignerPool, { strict: false }).forget('s');
      const unitOfWork = service.app.get(UnitOfWork, { strict: false });
      const keys = service.app.get(SignerKeys, { strict: false });
      const addressOf = keys.addressOf.bind(keys);
      const inUnits: boolean[] = [];
      jest.spyOn(keys, 'addressOf').mockImplementation((...args) => {
        inUnits.push(unitOfWork.inProgress);
        return addressOf(...args);
      });
      const approved = await approver.approve(pending.body.data.id as string);
      expect(approved.body.data.status).toBe('applied');
      expect(inUnits).not.toContain(true);
    });
  },
);
