import { setTimeout as sleep } from 'node:timers/promises';
import { verifyMessage } from 'ethers';
import { DraftEntity } from '../../examples/plugin/src/drafts/draft.entity';
import { DraftWorker } from '../../examples/plugin/src/drafts/draft-worker';
import { LedgerEntryEntity } from '../../examples/plugin/src/ledger/ledger-entry.entity';
import { LedgerModule } from '../../examples/plugin/src/ledger/ledger.module';
import { Lifecycle, UnitOfWork } from '../../src/public';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { until } from '../support/private-servers';

const LEASE_MS = 60_000;
const OPTIONS = { modules: [LedgerModule], startFor: 'test' } as const;

describeService('The worker of the example', OPTIONS, ({ service }) => {
  const drafts = () => service.app.get(UnitOfWork).repository(DraftEntity);
  const entries = () => service.app.get(UnitOfWork).repository(LedgerEntryEntity).find();
  const worker = () => service.app.get(DraftWorker, { strict: false });
  const add = (relayerId: string, statement: string) => worker().add(relayerId, statement);
  const isLeased = async (): Promise<boolean> =>
    (await drafts().findOneOrFail({ where: {} })).dueAt.getTime() > Date.now() + LEASE_MS / 2;
  const pause = (id: string, paused: boolean) =>
    service.call({ method: 'PATCH', path: `/api/v1/relayers/${id}`, body: { paused } });

  it('signs and books a draft', async () => {
    const { id, address } = await addRelayer(service);
    await add(id, 'Paid');
    await until('the entry', async () => (await entries()).length === 1);
    const [entry] = await entries();
    expect(verifyMessage('Paid', `0x${entry?.signature ?? ''}`)).toBe(address);
    expect(await drafts().count()).toBe(0);
  });

  it('keeps a draft that cannot be signed until its lease ends, and books others meanwhile', async () => {
    const [first, second] = [await addRelayer(service), await addRelayer(service)];
    await pause(first.id, true);
    await add(first.id, 'Later');
    await add(second.id, 'Now');
    await until('the entry', async () => (await entries()).length === 1);
    expect(await entries()).toMatchObject([{ statement: 'Now' }]);
    // Both may have been due in the same millisecond.
    await until('the lease', isLeased);
    await pause(first.id, false);
    await drafts().updateAll({ dueAt: new Date() });
    await until('both entries', async () => (await entries()).length === 2);
  });

  it('ends the draft in progress when it stops, and begins no other', async () => {
    const { id } = await addRelayer(service);
    const signing = new Promise<void>((resolve) => {
      service.app.get(Lifecycle).on('signature.before', async () => {
        resolve();
        await sleep(200);
      });
    });
    await service.app.get(UnitOfWork).run(async () => {
      await add(id, 'First');
      await add(id, 'Second');
    });
    await signing;
    await worker().onModuleDestroy();
    expect([(await entries()).length, await drafts().count()]).toEqual([1, 1]);
    expect(await isLeased()).toBe(false);
    await sleep(1500);
    expect(await drafts().count()).toBe(1);
  });

  it('books nothing once another instance has the draft', async () => {
    const { id } = await addRelayer(service);
    const other = new Date(Date.now() + 2 * LEASE_MS);
    let signatures = 0;
    const lifecycle = service.app.get(Lifecycle);
    lifecycle.on('signature.before', () => drafts().updateAll({ dueAt: other }));
    lifecycle.on('signature.after', () => (signatures += 1));
    await add(id, 'Paid');
    await until('the signature', () => signatures === 1);
    await worker().onModuleDestroy();
    expect(await entries()).toEqual([]);
    expect(await drafts().find()).toMatchObject([{ dueAt: other }]);
  });
});
