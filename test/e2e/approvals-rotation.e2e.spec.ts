import { ChangeDecisionsService } from '../../src/approvals/change-decisions.service';
import { ChangeRows } from '../../src/approvals/change-rows';
import { RowIntegrity } from '../../src/database/integrity/row-integrity';
import { bearer } from '../support/api-keys';
import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import { type HttpResponse, send } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { pendingChange } from '../support/pending-changes';

const TIGHT = { messages: { allow: 'text' } };

const statusOf = ({ body }: HttpResponse): string => body.data.status as string;

describeService(
  'Approvals by a key that is rotated',
  { settings: { APPROVALS: 'loosen_policy=2' } },
  ({ service }) => {
    let requester: KeyHolder;
    let one: KeyHolder;
    let two: KeyHolder;
    let relayer: string;

    beforeAll(async () => {
      requester = await KeyHolder.add(service);
      one = await KeyHolder.add(service, { scopes: ['approve'] });
      two = await KeyHolder.add(service, { scopes: ['approve'] });
    });

    const loosen = async (): Promise<string> =>
      pendingChange(await requester.call('PATCH', relayer, { policies: { messages: { allow: 'any' } } }));

    let rotated: KeyHolder;

    beforeEach(async () => {
      relayer = `/api/v1/relayers/${(await addRelayer(service, { policies: TIGHT })).id}`;
      rotated = await KeyHolder.add(service);
    });

    /** Rotates the key, and returns a call of an approval with its new secret. */
    const rotate = async (overlap?: number): Promise<(id: string) => Promise<HttpResponse>> => {
      const path = `/api/v1/api-keys/${rotated.id}/rotate`;
      const body = overlap === undefined ? {} : { overlap_seconds: overlap };
      const response = await send(service.url, { method: 'POST', path, body, headers: bearer(rotated.key) });
      const key = service.keepSecret(response.body.data.key as string);
      return (id) =>
        service.call({ method: 'POST', path: `/api/v1/changes/${id}/approve`, headers: bearer(key) });
    };

    it('do not count if its old secret became invalid at once, until it approves again', async () => {
      const [id, other] = [await loosen(), await loosen()];
      await rotated.approve(id);
      await one.approve(other);
      const approve = await rotate(0);
      expect((await one.show(id)).body.data.approvals).toEqual([]);
      expect((await one.show(other)).body.data.approvals).toHaveLength(1);
      expect(statusOf(await one.approve(id))).toBe('pending');
      const { body } = await service.get('/api/v1/audit-events?action=change.withdraw');
      expect(body.data[0]).toMatchObject({
        key_id: rotated.id,
        changes: { id: { after: id }, approvals: { before: [rotated.id], after: [] } },
      });
      expect(statusOf(await approve(id))).toBe('applied');
    });

    it('reject the changes that it has requested if its old secret became invalid at once', async () => {
      const id = pendingChange(await rotated.call('PATCH', relayer, { policies: null }));
      await one.approve(id);
      await rotate(0);
      expect((await one.show(id)).body.data).toMatchObject({ status: 'rejected', finished_by: rotated.id });
      const last = await two.approve(id);
      expect([last.status, last.body.message]).toEqual([409, 'Change is not pending']);
      expect((await service.get(relayer)).body.data).toMatchObject({ policies: TIGHT });
    });

    it('read no change that the key has neither requested nor approved', async () => {
      const [approved, other] = [await loosen(), await loosen()];
      await rotated.approve(approved);
      await one.approve(other);
      const verified = jest.spyOn(service.app.get(RowIntegrity, { strict: false }), 'isIntact');
      await rotate(0);
      const ids = verified.mock.calls.map(([, id]) => id);
      verified.mockRestore();
      expect(ids).toContain(approved);
      expect(ids).not.toContain(other);
    });

    it('still count if its old secret stays valid for a while', async () => {
      const [id, own] = [
        await loosen(),
        pendingChange(await rotated.call('PATCH', relayer, { policies: null })),
      ];
      await rotated.approve(id);
      await rotate();
      expect(statusOf(await one.show(own))).toBe('pending');
      expect(statusOf(await one.approve(id))).toBe('applied');
    });

    it('are refused if the key was rotated after the request had been authenticated', async () => {
      const id = await loosen();
      const decisions = service.app.get(ChangeDecisionsService, { strict: false });
      const approve = decisions.approve.bind(decisions);
      const late = jest.spyOn(decisions, 'approve').mockImplementationOnce(async (...args) => {
        await rotate(0);
        return approve(...args);
      });
      expect((await rotated.approve(id)).status).toBe(401);
      late.mockRestore();
      expect((await one.show(id)).body.data.approvals).toEqual([]);
    });

    it('are not requested by a key whose secret became invalid while its request was executed', async () => {
      const rows = service.app.get(ChangeRows, { strict: false });
      const create = rows.create.bind(rows);
      const late = jest.spyOn(rows, 'create').mockImplementationOnce(async (...args) => {
        await rotate(0);
        return create(...args);
      });
      expect((await rotated.call('PATCH', relayer, { policies: null })).status).toBe(401);
      late.mockRestore();
      const { body } = await service.get('/api/v1/changes?status=pending');
      const requesters = (body.data as unknown as { requested_by: string }[]).map(
        (change) => change.requested_by,
      );
      expect(requesters).not.toContain(rotated.id);
    });
  },
);
