import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { HttpResponse } from '../support/http';
import { KeyHolder } from '../support/key-holders';
import { changeOutcome } from '../support/pending-changes';

const HASHES = { domain_separator: 'ab'.repeat(32), hash_struct_message: 'cd'.repeat(32) };

/** Each kind alone, the relayer that its rule protects, and another way to create it that needs no approval. */
const CASES: [string, { paused: boolean }, object][] = [
  ['unpause', { paused: true }, { paused: true }],
  ['api_key_scope', { paused: false }, { id: 'another' }],
];

describe.each(CASES)('APPROVALS=%s=1', (kind, before, allowed) => {
  describeService(
    'A relayer that is deleted and created again',
    { settings: { APPROVALS: `${kind}=1` } },
    ({ service }) => {
      it('needs the approval that a change of it would need', async () => {
        const { id, network, signerId } = await addRelayer(service, { id: 'treasury', ...before });
        const approver = await KeyHolder.add(service, { scopes: ['approve'] });
        const requester = await KeyHolder.add(service);
        const client = await KeyHolder.add(service, { scopes: ['sign:typed-data'], relayers: [id] });
        const path = `/api/v1/relayers/${id}`;
        const create = (wanted: object): Promise<HttpResponse> =>
          requester.call('POST', '/api/v1/relayers', {
            ...{ id, name: id, network, network_type: 'evm', signer_id: signerId, paused: false },
            ...wanted,
          });
        const sign = async (): Promise<number> =>
          (await client.call('POST', `${path}/sign-typed-data`, HASHES)).status;

        expect((await requester.call('DELETE', path)).status).toBe(200);
        const wait = async (): Promise<string> => {
          const waiting = await create({});
          expect([waiting.status, waiting.body.data.kinds]).toEqual([202, [kind]]);
          return waiting.body.data.id as string;
        };
        const first = await wait();
        expect(await sign()).toBe(404);
        const created = await create(allowed);
        expect(created.status).toBe(201);
        expect(await sign()).not.toBe(200);
        await requester.call('DELETE', `/api/v1/relayers/${created.body.data.id as string}`);
        expect(changeOutcome(await approver.approve(first))).toEqual([409, 'Change cannot be applied']);
        expect(changeOutcome(await approver.approve(await wait()))).toEqual([200, 'applied']);
        expect(await sign()).toBe(200);
      });
    },
  );
});
