import { hostname } from 'node:os';
import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { AuditChain, dayOf } from './audit-chain';
import { AuditChainEntity, REGISTER_ID } from './audit-chain.entity';

/** The maximum length of the host name in the name of a chain. */
const MAX_HOST_LENGTH = 64;

/** Assigns consecutive numbers to the chains of all processes. The row that holds the newest number has a MAC too. */
@Injectable()
export class ChainRegister {
  readonly rows: ProtectedRows<AuditChainEntity>;
  /** Identifies the process, even among processes with the same host name and process id. */
  private readonly process = `${hostname().slice(0, MAX_HOST_LENGTH)}:${process.pid}:${randomBytes(4).toString('hex')}`;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    integrity: RowIntegrity,
  ) {
    this.rows = new ProtectedRows(unitOfWork, integrity, AuditChainEntity);
  }

  /** Takes the next number, in the current unit of work, which must store the chain. @throws RowAlteredError */
  async begin(now: Date): Promise<AuditChain> {
    const register = (await this.rows.findToChange(REGISTER_ID)) ?? (await this.create(now));
    const number = register.sequence + 1;
    await this.rows.update(register, { sequence: number });
    return new AuditChain(number, `${this.process}:${dayOf(now)}`, now);
  }

  private async create(now: Date): Promise<AuditChainEntity> {
    const row = this.rows.withMac({
      id: REGISTER_ID,
      name: 'register',
      sequence: 0,
      hash: '',
      prunedAt: null,
      exported: 0,
      exportAt: null,
      createdAt: now,
    });
    const insert = this.unitOfWork.repository(AuditChainEntity).createQueryBuilder().insert();
    // Another process may create the row at the same time. The insert waits until that is committed.
    await insert.values(row).orIgnore().execute();
    const created = await this.rows.findToChange(REGISTER_ID);
    if (!created) throw new Error('The register of audit chains was not created');
    return created;
  }
}
