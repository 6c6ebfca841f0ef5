import { randomUUID } from 'node:crypto';
import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { SigningApi, UnitOfWork } from 'relayer-management-service';
import { LessThanOrEqual, type Repository } from 'typeorm';
import { LedgerService } from '../ledger/ledger.service';
import { DraftEntity } from './draft.entity';

/** The pause between two sweeps. */
const PAUSE_MS = 1000;
/** Longer than signing can take. If an instance ends meanwhile, the draft is due again after this time. */
const LEASE_MS = 60_000;

/** Signs and books drafts that are due, one after the other. Each instance has such a worker. */
@Injectable()
export class DraftWorker implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger(DraftWorker.name);
  private timer: NodeJS.Timeout | undefined;
  private sweeping = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly signing: SigningApi,
    private readonly ledger: LedgerService,
  ) {}

  /** Books a statement soon. Call it in the unit of work of the change that causes it. */
  async add(relayerId: string, statement: string): Promise<void> {
    const draft = { id: randomUUID(), relayerId, statement, dueAt: new Date() };
    await this.unitOfWork.run(() => this.drafts.insert(draft));
  }

  /** All modules have been initialized, so the rules of all plugins apply. */
  onApplicationBootstrap(): void {
    this.schedule();
  }

  /** The database is closed later, so the draft in progress can still be booked. */
  async onModuleDestroy(): Promise<void> {
    this.isStopping = true;
    clearTimeout(this.timer);
    await this.sweeping;
  }

  /** The next sweep is scheduled when one has ended, so that none overlaps with another. */
  private schedule(): void {
    if (this.isStopping) return;
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep()
        .catch((error: unknown) => this.warn(error))
        .finally(() => this.schedule());
    }, PAUSE_MS);
  }

  private async sweep(): Promise<void> {
    while (!this.isStopping) {
      const draft = await this.claim();
      if (!draft) return;
      // It is due again when its lease ends. Others are not held up by one whose relayer is paused, for example.
      await this.book(draft).catch((error: unknown) => this.warn(error, draft.id));
    }
  }

  /** An error that nothing catches would end the process. */
  private warn(error: unknown, draft?: string): void {
    this.logger.warn('Drafts could not be booked', { draft, cause: String(error) });
  }

  /** Takes the oldest draft that is due, unless another instance is faster: the row then has another time. */
  private claim(): Promise<DraftEntity | undefined> {
    return this.unitOfWork.run(async () => {
      const due = { dueAt: LessThanOrEqual(new Date()) };
      const draft = await this.drafts.findOne({ where: due, order: { dueAt: 'ASC' } });
      if (!draft) return undefined;
      const lease = new Date(Date.now() + LEASE_MS);
      const { affected } = await this.drafts.update({ id: draft.id, dueAt: draft.dueAt }, { dueAt: lease });
      draft.dueAt = lease;
      return affected === 1 ? draft : undefined;
    });
  }

  private async book({ id, relayerId, statement, dueAt }: DraftEntity): Promise<void> {
    // Outside of a unit of work, as in the routes.
    const { sig } = await this.signing.signMessage(relayerId, { message: statement });
    await this.unitOfWork.run(async () => {
      const { affected } = await this.drafts.delete({ id, dueAt });
      // The lease has ended, and another instance books the draft, or has done so.
      if (affected !== 1) return;
      await this.ledger.record({ id, relayerId, statement, signature: sig, createdAt: new Date() });
    });
  }

  private get drafts(): Repository<DraftEntity> {
    return this.unitOfWork.repository(DraftEntity);
  }
}
