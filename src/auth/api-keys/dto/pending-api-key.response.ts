import { PendingChangeResponse } from '../../../approvals/dto/pending-change.response';
import type { Secret } from '../../../common/secrets/secret';

/** A change with the text of the key that it creates or rotates. @param text undefined if the key has none */
export const toPendingApiKeyResponse = (
  change: PendingChangeResponse,
  text: Secret | undefined,
): PendingChangeResponse =>
  Object.assign(new PendingChangeResponse(), change, text && { key: text.reveal() });
