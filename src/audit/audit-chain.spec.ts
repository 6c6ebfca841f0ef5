import { AuditChain } from './audit-chain';
import { hashOf, firstHash } from './row-hash';

describe('AuditChain', () => {
  it('truncates long values to well-formed text, as the databases store it', () => {
    const chain = new AuditChain(1, 'name', new Date());
    const relayerId = `${'a'.repeat(35)}😀`;
    const entry = { action: 'signature.create', relayerId, code: 'unauthorized' } as const;
    const record = { entry, action: entry.action, keyId: 'key', requestId: `${'b'.repeat(127)}😀` };
    const [row] = chain.rowsOf([record as never], new Date());
    expect(row).toMatchObject({
      relayerId: `${'a'.repeat(35)}\ufffd`,
      requestId: `${'b'.repeat(127)}\ufffd`,
    });
    expect(row && hashOf(firstHash(1, 'name'), row)).toBe(row?.hash);
  });
});
