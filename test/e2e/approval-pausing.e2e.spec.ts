import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { KeyHolder } from '../support/key-holders';
import { changeOutcome, pendingChange } from '../support/pending-changes';

const APPROVALS = 'loosen_policy=1,unpause=1,api_key_scope=1';
const TIGHT = { messages: { allow: 'text' } };
const LOOSE = { messages: { allow: 'any' } };

describeService('Pausing with APPROVALS', { settings: { APPROVALS } }, ({ service }) => {
  let requester: KeyHolder;
  let approver: KeyHolder;
  let id: string;
  let path: string;

  beforeAll(async () => {
    requester = await KeyHolder.add(service);
    approver = await KeyHolder.add(service, { scopes: ['approve'] });
  });

  beforeEach(async () => {
    ({ id } = await addRelayer(service, { policies: TIGHT }));
    path = `/api/v1/relayers/${id}`;
  });

  const patch = (body: object, holder = requester) => holder.call('PATCH', path, body);
  const shown = async (): Promise<unknown> => (await service.get(path)).body.data;
  const events = async (): Promise<object[]> =>
    (await service.get(`/api/v1/audit-events?relayer_id=${id}&action=relayer.update`)).body.data as object[];

  it('of a paused relayer voids requests to resume it, and is audited', async () => {
    await patch({ paused: true });
    const early = pendingChange(await patch({ paused: false }));
    const pauser = await KeyHolder.add(service, { scopes: ['relayers:pause'] });
    const before = await shown();
    expect((await patch({ paused: true }, pauser)).status).toBe(200);
    expect(await shown()).toEqual(before);
    expect((await events())[0]).toMatchObject({
      key_id: pauser.id,
      changes: { paused_again: { before: null, after: true } },
    });
    expect(changeOutcome(await approver.approve(early))).toEqual([409, 'Change cannot be applied']);
    expect(await shown()).toEqual(before);
    const late = pendingChange(await patch({ paused: false }));
    expect(changeOutcome(await approver.approve(late))).toEqual([200, 'applied']);
    expect(await shown()).toMatchObject({ paused: false });
  });

  it.each([
    ['looser policies', { policies: LOOSE }],
    ['a group', { group: 'payouts' }],
  ])('does not wait for the approval that %s need in the same request', async (_, rest) => {
    const response = await patch({ paused: true, ...rest });
    const change = pendingChange(response);
    expect(response.body.data.request).toEqual({ relayer_id: id, patch: rest });
    expect(response.body.metadata.logs).toEqual([
      { level: 'warn', message: 'The relayer is paused now; only the rest of the request needs approval' },
    ]);
    expect(await shown()).toMatchObject({ paused: true, policies: TIGHT });
    expect((await events())[0]).toMatchObject({ changes: { paused: { before: false, after: true } } });
    expect(changeOutcome(await approver.approve(change))).toEqual([200, 'applied']);
    expect(await shown()).toMatchObject({ paused: true, ...rest });
  });

  it('is not done by a request that is invalid, or that the key may not make', async () => {
    const pauser = await KeyHolder.add(service, { scopes: ['relayers:pause'] });
    expect((await patch({ paused: true, policies: LOOSE }, pauser)).status).toBe(403);
    expect((await patch({ paused: true, policies: LOOSE, notification_id: 'nowhere' })).status).toBe(404);
    expect(await shown()).toMatchObject({ paused: false });
  });
});
