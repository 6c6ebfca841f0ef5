import { Injectable } from '@nestjs/common';
import { ApproverCount } from '../auth/api-keys/approver-count';
import { type Finding, ok, warning } from './finding';

const CHECK = 'approvals';

/** Whether enough API keys exist to approve what the root key requests, which cannot approve it itself. */
@Injectable()
export class ApproversCheck {
  constructor(private readonly approvers: ApproverCount) {}

  async run(): Promise<Finding[]> {
    const { needed } = this.approvers;
    if (needed === 0) return [];
    const { unlimited, limited } = await this.approvers.count();
    const others = limited > 0 ? `; ${limited} more approve only changes of some relayers` : '';
    const detail = `${unlimited} API keys may approve all changes, and APPROVALS needs up to ${needed}${others}`;
    if (unlimited >= needed) return [ok(CHECK, detail)];
    return [
      warning(
        CHECK,
        detail,
        'Create them in a shell, which needs no approval: npm run api-key -- create --name <name> --scopes approve',
      ),
    ];
  }
}
