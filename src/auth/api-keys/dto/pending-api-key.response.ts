import { ApiPropertyOptional } from '@nestjs/swagger';
import { PendingChangeResponse } from '../../../approvals/dto/pending-change.response';
import type { Secret } from '../../../common/secrets/secret';

/** A change that waits for approval, with the text of the key that it creates or rotates. */
export class PendingApiKeyResponse extends PendingChangeResponse {
  /** It works once the change is applied, and cannot be shown again. */
  @ApiPropertyOptional({ pattern: '^rk_[0-9a-z]{12}_[0-9A-Za-z]{49}$' })
  key?: string;
}

/** @param text absent where the key has none */
export const toPendingApiKeyResponse = (
  change: PendingChangeResponse,
  text: Secret | undefined,
): PendingApiKeyResponse =>
  Object.assign(new PendingApiKeyResponse(), change, text && { key: text.reveal() });
