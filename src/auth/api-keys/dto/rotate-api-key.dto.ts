import { OptionalInteger } from '../../../common/validation/members';
import { OptionalBody } from '../../../common/validation/optional-body.decorator';

const MAX_OVERLAP_SECONDS = 2_592_000;

@OptionalBody()
export class RotateApiKeyDto {
  /** How long the current secret stays valid in addition to the new one. 0 ends it at once, rejects pending changes that the key has requested, and withdraws its approvals of others. Default: `API_KEY_OVERLAP_SECONDS`. */
  @OptionalInteger(0, MAX_OVERLAP_SECONDS, 600)
  overlap_seconds?: number | null;
}
