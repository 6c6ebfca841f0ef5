import { QueryFailedError } from 'typeorm';
import { type Principal, ROOT } from '../access/principal';
import {
  asRequestOf,
  PAUSED,
  SIGNATURE,
  signedDigest,
  SigningFixture,
  TASK,
} from '../../test/support/signing-fixture';
import { DomainError } from '../common/errors/domain-error';
import { currentRequest } from '../common/http/request-context';

const NOT_ALLOWED = expect.objectContaining({ code: 'typed_data_not_allowed' }) as Error;
const KEY: Principal = { ...ROOT, id: 'key', kind: 'api_key' };

const timedOut = new QueryFailedError(
  'SELECT',
  [],
  Object.assign(new Error('Statement timed out'), { code: 'PROTOCOL_SEQUENCE_TIMEOUT' }),
);

const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 40));

describe('SigningFlow', () => {
  let fixture: SigningFixture;

  beforeEach(() => {
    fixture = new SigningFixture();
  });

  it('reads the relayer once when the key is in memory', async () => {
    expect(await fixture.flow.sign('r', TASK)).toBe(SIGNATURE);
    expect(fixture.log).toEqual(['read', 'sign']);
    expect(fixture.record).toHaveBeenCalledWith('r', 'n', [
      { form: 'typed_data_hashes', digest: TASK.digest },
    ]);
  });

  it('records no event without a notification', async () => {
    fixture.row.notificationId = null;
    expect(await fixture.flow.sign('r', TASK)).toBe(SIGNATURE);
    await fixture.batch(1);
    expect(fixture.record).not.toHaveBeenCalled();
  });

  it('returns a signature only once it is in the audit log', async () => {
    let recorded = (): void => undefined;
    fixture.audit.mockImplementationOnce(() => new Promise((resolve) => (recorded = resolve)));
    const isReturned = jest.fn();
    const signing = fixture.flow.sign('r', TASK).then(isReturned);
    await slowly();
    expect(fixture.audit).toHaveBeenCalledWith([
      { action: 'signature.create', relayerId: 'r', signerId: 's', ...signedDigest },
    ]);
    expect(isReturned).not.toHaveBeenCalled();
    recorded();
    await signing;
    expect(isReturned).toHaveBeenCalled();
  });

  it('does not return a signature that could not be recorded', async () => {
    fixture.row.notificationId = null;
    fixture.audit.mockRejectedValue(new Error('The database is away'));
    await expect(fixture.flow.sign('r', TASK)).rejects.toThrow('The database is away');
    await expect(fixture.batch(2)).rejects.toThrow('The database is away');
  });

  it('records a refusal, and reports it even if recording fails', async () => {
    fixture.failure = PAUSED;
    await expect(fixture.flow.sign('r', TASK)).rejects.toBe(PAUSED);
    const refusal = { action: 'signature.create', relayerId: 'r', code: 'relayer_paused' };
    expect(fixture.audit).toHaveBeenLastCalledWith([{ ...refusal, ...signedDigest }]);
    fixture.audit.mockRejectedValue(new Error('The database is away'));
    await expect(fixture.flow.sign('r', TASK)).rejects.toBe(PAUSED);
    await expect(fixture.batch(2)).rejects.toBe(PAUSED);
    expect(fixture.audit).toHaveBeenLastCalledWith([{ ...refusal, form: 'typed_data' }]);
  });

  it.each(['relayer_not_found', 'invalid_request'] as const)('does not record %s', async (code) => {
    fixture.failure = new DomainError(code, 'x');
    await expect(fixture.flow.sign('r', TASK)).rejects.toBe(fixture.failure);
    expect(fixture.audit).not.toHaveBeenCalled();
  });

  it('does not record a failure of a database that does not respond in time', async () => {
    fixture.failure = timedOut;
    await expect(fixture.flow.sign('r', TASK)).rejects.toBe(timedOut);
    await expect(fixture.batch(2)).rejects.toBe(timedOut);
    expect(fixture.audit).not.toHaveBeenCalled();
  });

  it('does not open the signer for a request that is not allowed', async () => {
    fixture.row.policies = { messages: { allow: 'any' } };
    fixture.whileOpening = () => fixture.log.push('open') as unknown as undefined;
    await expect(fixture.flow.sign('r', TASK)).rejects.toEqual(NOT_ALLOWED);
    expect(fixture.log).toEqual(['read']);
  });

  it('checks the chain of a request that is bound to one', async () => {
    const checkChain = jest.fn(() => {
      throw PAUSED;
    });
    await expect(fixture.flow.sign('r', { ...TASK, checkChain })).rejects.toBe(PAUSED);
    expect(checkChain).toHaveBeenCalledWith(expect.objectContaining({ name: 'devnet', chainId: '1' }));
    expect(fixture.log).toEqual(['read', 'chain']);
  });

  it.each([
    ['a pause', () => (fixture.failure = PAUSED), PAUSED],
    ['a change of policies', () => (fixture.row.policies = { typed_data: {} }), NOT_ALLOWED],
  ])('does not sign after %s while the signer was being opened', async (_what, change, error) => {
    fixture.whileOpening = async () => {
      change();
      await slowly();
    };
    await expect(fixture.flow.sign('r', TASK)).rejects.toEqual(error);
    expect(fixture.log).toEqual(['read', 'read']);
  });

  it('needs the other relayers of the address for what is valid on every chain', async () => {
    fixture.others = [{ ...fixture.row, id: 'other', paused: true }];
    await expect(fixture.flow.sign('r', TASK)).rejects.toMatchObject({ code: 'relayer_paused' });
    expect(fixture.log).toEqual(['read']);
    expect(await fixture.flow.sign('r', { ...TASK, checkChain: () => undefined })).toBe(SIGNATURE);
  });

  it('withholds the signature of a key service if another relayer of the address was paused meanwhile', async () => {
    const other = { ...fixture.row, id: 'other', paused: false };
    Object.assign(fixture, { isRemote: true, others: [other] });
    fixture.whileSigning = () => {
      fixture.others = [{ ...other, paused: true }];
    };
    await expect(fixture.flow.sign('r', TASK)).rejects.toMatchObject({ code: 'relayer_paused' });
    expect(fixture.log).toEqual(['read', 'sign', 'read']);
  });

  describe('with a key service', () => {
    beforeEach(() => {
      fixture.isRemote = true;
    });

    it('reads the relayer before and after the call', async () => {
      expect(await fixture.flow.sign('r', TASK)).toBe(SIGNATURE);
      expect(fixture.log).toEqual(['read', 'sign', 'read']);
    });

    it.each([
      ['a pause', () => (fixture.failure = PAUSED), 'relayer_paused'],
      ['a change of policies', () => (fixture.row.policies = { transactions: {} }), 'typed_data_not_allowed'],
      ['another signer', () => (fixture.row.signerId = 't'), 'relayer_not_found'],
      ['another address', () => (fixture.row.address = '0x2'), 'relayer_not_found'],
      ['another network', () => (fixture.row.network = 'mainnet'), 'relayer_not_found'],
    ])('withholds the signature after %s during the call', async (_what, change, code) => {
      fixture.whileSigning = change;
      await expect(fixture.flow.sign('r', TASK)).rejects.toEqual(expect.objectContaining({ code }));
      expect(fixture.log).toEqual(['read', 'sign', 'read']);
      expect(fixture.record).not.toHaveBeenCalled();
      expect(await fixture.registry.metrics()).toContain(`signatures_withheld_total{reason="${code}"} 1`);
    });

    it('withholds the signature when the relayer cannot be read', async () => {
      fixture.whileSigning = () => (fixture.failure = new Error('The database is away'));
      await expect(fixture.flow.sign('r', TASK)).rejects.toThrow('The database is away');
      expect(await fixture.registry.metrics()).toContain(
        'signatures_withheld_total{reason="internal_error"} 1',
      );
    });
  });

  describe('for an API key', () => {
    const REVOKED = new DomainError('unauthorized', 'Unauthorized');
    const revoke = () => {
      fixture.recheck = () => {
        throw REVOKED;
      };
    };

    it('rechecks the key when the decision is confirmed, except for the root key', async () => {
      fixture.isRemote = true;
      await asRequestOf(KEY, () => fixture.flow.sign('r', TASK));
      expect(fixture.log).toEqual(['read', 'sign', 'recheck', 'read']);
      fixture.log.length = 0;
      await asRequestOf(ROOT, () => fixture.flow.sign('r', TASK));
      expect(fixture.log).toEqual(['read', 'sign', 'read']);
    });

    it('rechecks the key first if the request has waited to be hashed', async () => {
      await asRequestOf(KEY, () => fixture.flow.sign('r', TASK), 40);
      expect(fixture.log).toEqual(['recheck', 'read', 'sign']);
      revoke();
      await expect(asRequestOf(KEY, () => fixture.flow.sign('r', TASK), 40)).rejects.toBe(REVOKED);
      expect(fixture.log).toEqual(['recheck', 'read', 'sign']);
      expect(fixture.audit).toHaveBeenLastCalledWith([expect.objectContaining({ code: 'unauthorized' })]);
    });

    it('rechecks the key if reading the relayer took time', async () => {
      fixture.whileReading = slowly;
      await asRequestOf(KEY, () => fixture.flow.sign('r', TASK));
      expect(fixture.log).toEqual(['read', 'recheck', 'sign']);
      revoke();
      await expect(asRequestOf(KEY, () => fixture.flow.sign('r', TASK))).rejects.toBe(REVOKED);
      expect(fixture.log).toEqual(['read', 'recheck', 'sign', 'read']);
    });

    it('does not sign for a relayer that the key can no longer reach once it has been read', async () => {
      const narrow = () => {
        const request = currentRequest();
        const reach = { relayers: new Set(['other']), groups: new Set<string>() };
        if (request) request.principal = { ...KEY, reach };
      };
      fixture.whileReading = slowly;
      fixture.recheck = narrow;
      const notFound = expect.objectContaining({ code: 'relayer_not_found' }) as Error;
      await expect(asRequestOf(KEY, () => fixture.flow.sign('r', TASK))).rejects.toEqual(notFound);
      expect(fixture.log).toEqual(['read']);
      // The same while the signature is confirmed: only the second check of the key finds that it is narrower.
      Object.assign(fixture, { isRemote: true, whileReading: () => undefined, recheck: () => undefined });
      fixture.whileSigning = () => {
        fixture.whileReading = async () => {
          await slowly();
          fixture.recheck = narrow;
        };
      };
      await expect(asRequestOf(KEY, () => fixture.flow.sign('r', TASK))).rejects.toEqual(notFound);
      expect(fixture.record).not.toHaveBeenCalled();
    });

    it('withholds the signature of a key service after a revocation during the call', async () => {
      fixture.isRemote = true;
      fixture.whileSigning = revoke;
      await expect(asRequestOf(KEY, () => fixture.flow.sign('r', TASK))).rejects.toBe(REVOKED);
      expect(fixture.record).not.toHaveBeenCalled();
    });

    it('signs no more than the items in progress after a revocation', async () => {
      fixture.whileSigning = revoke;
      const results = await asRequestOf(KEY, () => fixture.batch(300));
      expect(results.filter((result) => 'value' in result).length).toBeLessThanOrEqual(8);
      expect(results.at(-1)).toEqual({ error: 'Unauthorized', code: 'unauthorized' });
    });
  });
});
