import { Logger } from '@nestjs/common';
import type { AuditLog } from '../audit/audit-log';
import { DomainError } from '../common/errors/domain-error';
import type { SignatureEvents } from './signature-events';
import { failureEntry, SignatureRecords } from './signature-records';

const outage = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
const recordAll = () => Promise.reject(outage());
const records = new SignatureRecords({ recordAll } as unknown as AuditLog, {} as SignatureEvents);

describe('SignatureRecords', () => {
  let logged: jest.SpyInstance;

  beforeEach(() => (logged = jest.spyOn(Logger.prototype, 'error').mockImplementation()));
  afterEach(() => logged.mockRestore());

  const saveFailure = (error: unknown): Promise<void> =>
    records.saveFailure(failureEntry('signature.create', 'r', { form: 'typed_data' }, error), error);

  it('does not log a failed request a second time if it is not recorded for the same reason', async () => {
    await saveFailure(outage());
    expect(logged).not.toHaveBeenCalled();
  });

  it.each([
    ['relayer_paused', new DomainError('relayer_paused', 'Forbidden')],
    ['internal_error', new Error('a fault')],
  ])('logs that a failure was not recorded: %s', async (code, error) => {
    await saveFailure(error);
    expect(logged.mock.calls).toEqual([
      [
        'A refused or failed signature was not recorded',
        { relayer_id: 'r', codes: [code], cause: 'connect ECONNREFUSED' },
      ],
    ]);
  });
});
