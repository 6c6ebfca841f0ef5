import { Injectable } from '@nestjs/common';
import { ConfigurationError } from '../config/configuration-error';
import { RowAlteredError } from '../database/integrity/row-altered.error';
import { STORAGE_KEY_REMEDY, StorageKeyCheck } from '../stored-secrets/storage-key-check';
import { ApproversCheck } from './approvers.check';
import { EndpointsCheck } from './endpoints.check';
import { type Finding, ok, problem } from './finding';
import { SignersCheck } from './signers.check';

/**
 * Checks whether stored data can be decrypted and used: the storage key, the signers, the endpoints of networks, the
 * API keys that approve.
 */
@Injectable()
export class StoredRowsCheck {
  constructor(
    private readonly storageKeys: StorageKeyCheck,
    private readonly signers: SignersCheck,
    private readonly endpoints: EndpointsCheck,
    private readonly approvers: ApproversCheck,
  ) {}

  async run(): Promise<Finding[]> {
    try {
      await this.storageKeys.verify();
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      return error.faults.map((fault) => problem('storage keys', fault, STORAGE_KEY_REMEDY));
    }
    return [
      ok('storage keys', 'decrypt what is stored'),
      ...(await unlessAltered('signers', () => this.signers.run())),
      ...(await unlessAltered('endpoints', () => this.endpoints.run())),
      ...(await this.approvers.run()),
    ];
  }
}

async function unlessAltered(check: string, run: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof RowAlteredError)) throw error;
    return [
      problem(
        check,
        `row ${error.id} of the table ${error.table} was altered outside of the service`,
        'Find out who did it (docs/operations/incidents.md); npm run storage:verify lists every such row.',
      ),
    ];
  }
}
