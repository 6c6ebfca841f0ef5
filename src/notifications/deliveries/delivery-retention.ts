import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { LessThan } from 'typeorm';
import { Purge } from '../../background/purge';
import type { AppConfig } from '../../config/app-config';
import { UnitOfWork } from '../../database/unit-of-work';
import { deleteSome } from './delete-deliveries';
import { DeliveryEntity } from './delivery.entity';

/** Deletes deliveries that were finished long ago. */
@Injectable()
export class DeliveryRetention extends Purge {
  private readonly retentionMs: number;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    config: ConfigService<AppConfig, true>,
  ) {
    super(config, 'deliveries');
    this.retentionMs = config.get('webhooks', { infer: true }).retentionMs;
  }

  async purgeSome(): Promise<boolean> {
    const old = { finishedAt: LessThan(new Date(Date.now() - this.retentionMs)) };
    const purge = () => deleteSome(this.unitOfWork.repository(DeliveryEntity), old);
    return this.unitOfWork.run(purge);
  }
}
