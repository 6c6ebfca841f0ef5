import { ApiProperty } from '@nestjs/swagger';
import type { FreezeState } from '../signing-freeze.service';

/** Whether signing is frozen. */
export class SigningFreezeResponse {
  @ApiProperty({ example: true })
  frozen!: boolean;

  /** Null if signing is not frozen. */
  @ApiProperty({ type: String, nullable: true, example: 'INC-142: signatures nobody asked for' })
  reason!: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-11-22T10:00:00.000Z' })
  since!: string | null;
}

export function toSigningFreezeResponse(state: FreezeState): SigningFreezeResponse {
  return state.frozen
    ? { frozen: true, reason: state.reason, since: state.since.toISOString() }
    : { frozen: false, reason: null, since: null };
}
