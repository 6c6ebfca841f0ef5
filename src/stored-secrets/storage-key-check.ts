import { Injectable } from '@nestjs/common';
import { SecretCipher, SecretUnreadableError } from '../common/secrets/secret-cipher';
import { ConfigurationError } from '../config/configuration-error';
import { UnitOfWork } from '../database/unit-of-work';
import { SealedRecords } from './sealed-records';

/** Tells at start whether the storage keys are those that the database was written with. */
@Injectable()
export class StorageKeyCheck {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
  ) {}

  /**
   * Opens one secret of each column and, if there is any, one that names no configured key: an old key that was
   * taken away too early stops the start, before a relayer finds out that it can no longer sign.
   *
   * @throws ConfigurationError that names the place of a secret that does not open
   */
  async verify(): Promise<void> {
    try {
      for (const column of this.cipher.columns) {
        const records = new SealedRecords(this.unitOfWork, column);
        const samples = [
          ...(await records.one()),
          ...(await records.oneWithoutPrefixes(this.cipher.recordPrefixes)),
        ];
        for (const { place, sealed } of samples) this.cipher.open(sealed, place);
      }
    } catch (error) {
      if (!(error instanceof SecretUnreadableError)) throw error;
      throw new ConfigurationError([
        `STORAGE_ENCRYPTION_KEY lacks a key that this database was written with: ${error.message}`,
      ]);
    }
  }
}
