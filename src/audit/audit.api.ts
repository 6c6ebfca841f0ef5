import type { PluginAction } from './plugin-actions';

/** An action of a plugin, for the audit log. It must not contain secrets or the content of what was signed. @public */
export interface PluginAuditRecord {
  /** One of the actions that a plugin declares, for example `acme-ledger.entry.create`. */
  action: PluginAction;
  /** The relayer that the action is about, if any. API keys that cannot reach it do not see the event. */
  relayerId?: string;
  /** The signer that it is about, if any. */
  signerId?: string;
  /** The reason of a refusal or failure, as 1 to 64 lower-case letters, digits and underscores; none for a success. */
  code?: string;
  /** The id of the changed resource, shown as `changes.id`. */
  id?: string;
  /**
   * The fields of the resource before the change; missing if it was created. A bigint is recorded as a decimal string,
   * and so is a number of more than 15 digits, which databases might round; a date as in JSON.
   */
  before?: Readonly<Record<string, unknown>>;
  /** Its fields after the change; missing if it was deleted. Only fields that differ are recorded. */
  after?: Readonly<Record<string, unknown>>;
}

/**
 * The audit log, for what plugins do. An event has the hash of the previous one and is exported, listed and verified
 * like those of the service. It names the caller of the current request: its API key, address and request id.
 *
 * @public
 */
export abstract class AuditApi {
  /**
   * Records an action. In a unit of work, the event is committed or rolled back with it; outside of one, the promise
   * resolves once the event is committed. There is no scope for it: who may do what is up to the plugin.
   *
   * @throws Error for an action that no plugin declares, for ids or a code of another form, and for changes that are
   *   nested more than 16 levels deep or longer than 65 536 characters of JSON
   */
  abstract record(record: PluginAuditRecord): Promise<void>;
}
