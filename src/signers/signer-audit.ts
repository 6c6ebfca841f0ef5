import type { AuditEntry } from '../audit/audit-entry';
import { type AuditedFields, changedFields, redacted } from '../audit/changed-fields';
import type { SignerEntity } from './signer.entity';

type Signer = Readonly<Omit<SignerEntity, 'mac'>>;

const fieldsOf = (signer: Signer): AuditedFields => ({
  type: signer.kind,
  settings: signer.settings,
  secret: redacted(signer.secret),
  address: signer.address,
  public_key: signer.publicKey,
});

export const signerCreated = (signer: Signer): AuditEntry => ({
  action: 'signer.create',
  signerId: signer.id,
  changes: changedFields(null, fieldsOf(signer)),
});

/** Undefined if no recorded field has changed. */
export function signerUpdated(before: Signer, after: Signer): AuditEntry | undefined {
  const changes = changedFields(fieldsOf(before), fieldsOf(after));
  return Object.keys(changes).length === 0
    ? undefined
    : { action: 'signer.update', signerId: after.id, changes };
}

/** @param signer undefined if its row was altered */
export const signerDeleted = (signerId: string, signer: Signer | undefined): AuditEntry => ({
  action: 'signer.delete',
  signerId,
  ...(signer && { changes: changedFields(fieldsOf(signer), null) }),
});
