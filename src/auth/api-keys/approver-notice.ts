import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isFirstProcess } from '../../cluster/primary';
import { causeOf } from '../../common/errors/error-cause';
import { ApproverCount } from './approver-count';

/** Warns at the start if changes of the root key would wait for approvals that nobody can give. */
@Injectable()
export class ApproverNotice implements OnApplicationBootstrap {
  private readonly logger = new Logger(ApproverNotice.name);

  constructor(private readonly approvers: ApproverCount) {}

  async onApplicationBootstrap(): Promise<void> {
    const { needed } = this.approvers;
    if (needed === 0 || !isFirstProcess()) return;
    try {
      const count = await this.approvers.count();
      if (count.unlimited < needed)
        this.logger.warn('Fewer API keys may approve all changes than APPROVALS needs', { ...count, needed });
    } catch (error) {
      this.logger.warn('API keys that may approve could not be counted', { cause: causeOf(error) });
    }
  }
}
