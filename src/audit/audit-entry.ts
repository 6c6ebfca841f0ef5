import type { AuditAction } from './audit-action';
import type { Changes } from './changed-fields';
import type { PluginAction } from './plugin-actions';

/** The record of one signature, transaction, change or refusal. It never contains a payload or a secret. */
export interface AuditEntry {
  action: AuditAction | PluginAction;
  relayerId?: string | null;
  signerId?: string | null;
  /** The reason of a failure, as an error code or another constant; missing for a success. */
  code?: string | null;
  /** The signed digest, 32 bytes. */
  digest?: Uint8Array | null;
  /** The signing form of the digest, as in `signature_created`. */
  form?: string | null;
  changes?: Changes | null;
}

/** The caller whose action is recorded. */
export interface AuditCaller {
  /** The id of the API key, or `root`; null for the service itself. */
  readonly keyId: string | null;
  readonly requestId: string | null;
  readonly clientIp: string | null;
  /** The id of the approved change that is applied, which the entries show as `changes.approved_change`. */
  readonly approvedChange?: string;
}
