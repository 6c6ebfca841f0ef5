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
    const keys = await this.approvers.count();
    const detail = `${keys} API keys may approve, and APPROVALS needs up to ${needed} of them`;
    if (keys >= needed) return [ok(CHECK, detail)];
    return [
      warning(
        CHECK,
        detail,
        'Create them in a shell, which needs no approval: npm run api-key -- create --name <name> --scopes approve',
      ),
    ];
  }
}
