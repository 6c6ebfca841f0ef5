import { hash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { LessThan } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { isUniqueViolation } from '../../database/drivers/driver-errors';
import { UnitOfWork } from '../../database/unit-of-work';
import { SignatureNonceEntity } from './signature-nonce.entity';

/**
 * How long a nonce is kept: longer than its signature is valid, although a clock may be wrong by an hour for a while.
 * @limit Access
 */
const KEPT_MS = 4_200_000;
const PURGE_MS = 60_000;
const BATCH = 1000;

/** The nonces of signed requests on all instances. A unique index decides which request was first. */
@Injectable()
export class UsedNonces extends Purge {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'nonces', PURGE_MS);
  }

  /** @returns whether this call was the first to use the nonce */
  async use(keyId: string, nonce: string): Promise<boolean> {
    const id = hash('sha256', `${keyId}\n${nonce}`);
    const expiresAt = new Date(Date.now() + KEPT_MS);
    try {
      await this.unitOfWork.runStatement(() =>
        this.unitOfWork.repository(SignatureNonceEntity).insert({ id, expiresAt }),
      );
      return true;
    } catch (error) {
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async purgeSome(): Promise<boolean> {
    const nonces = this.unitOfWork.repository(SignatureNonceEntity);
    const where = { expiresAt: LessThan(new Date()) };
    const old = await nonces.find({ where, select: { id: true }, take: BATCH });
    if (old.length === 0) return false;
    await this.unitOfWork.runStatement(() => nonces.delete(old.map(({ id }) => id)));
    return old.length === BATCH;
  }
}
