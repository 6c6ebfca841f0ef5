import { Injectable } from '@nestjs/common';
import { IDENTIFIER } from '../common/validation/fields';
import { AuditLog } from './audit-log';
import { AuditApi, type PluginAuditRecord } from './audit.api';
import { changedFields, type Changes, changesOf } from './changed-fields';
import { isRegisteredAction } from './plugin-actions';
import { storableJson } from './storable-json';

const CODE = /^[a-z0-9_]{1,64}$/;
/** Characters of JSON of what a plugin records as the changes of one event. @limit Audit log */
const MAX_CHANGES_LENGTH = 65_536;

/** The service's implementation of {@link AuditApi}, which no plugin can override. */
@Injectable()
export class AuditApiService extends AuditApi {
  constructor(private readonly audit: AuditLog) {
    super();
  }

  async record({ action, relayerId, signerId, code, ...changed }: PluginAuditRecord): Promise<void> {
    if (!isRegisteredAction(action)) throw new Error(`No plugin declares the action ${action}`);
    const check = (name: string, value: string | undefined, form: RegExp): void => {
      if (value !== undefined && !form.test(value)) throw unrecorded(action, `${name} must match ${form}`);
    };
    check('relayerId', relayerId, IDENTIFIER);
    check('signerId', signerId, IDENTIFIER);
    check('code', code, CODE);
    const changes = stored(action, changesIn(changed));
    await this.audit.record({ action, relayerId, signerId, code, changes });
  }
}

function changesIn({ id, before, after }: Pick<PluginAuditRecord, 'id' | 'before' | 'after'>): Changes {
  if (id === undefined) return changedFields(before ?? null, after ?? null);
  return before || after ? changesOf(id, before ?? null, after ?? null) : changesOf(id, {}, {});
}

/** The changes in the form in which the databases return them; null if there are none. */
function stored(action: string, changes: Changes): Changes | null {
  if (Object.keys(changes).length === 0) return null;
  const result = storableJson(changes);
  if (JSON.stringify(result).length > MAX_CHANGES_LENGTH)
    throw unrecorded(action, `its changes are longer than ${MAX_CHANGES_LENGTH} characters of JSON`);
  return result as Changes;
}

const unrecorded = (action: string, reason: string): Error =>
  new Error(`The audit event ${action} was not recorded: ${reason}`);
