import type { TestApplication } from './application';
import { addRelayer } from './builders';

/** The group of each relayer that {@link addGroupedRelayers} creates, by id. */
export const GROUPS: Readonly<Record<string, string | null>> = {
  a: 'payouts',
  b: 'payouts',
  c: 'treasury',
  d: null,
};

/** Creates relayers with and without a group, all with the notification `hook`. */
export async function addGroupedRelayers(service: TestApplication): Promise<void> {
  await service.post('/api/v1/notifications', { id: 'hook', url: 'http://127.0.0.1:9/hook' });
  for (const [id, group] of Object.entries(GROUPS))
    await addRelayer(service, {
      ...{ id, name: `Relayer ${id}`, signerId: `signer-${id}` },
      ...{ group, notificationId: 'hook' },
    });
}
