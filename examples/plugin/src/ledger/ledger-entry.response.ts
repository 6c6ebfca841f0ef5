import { ApiProperty } from '@nestjs/swagger';
import type { LedgerEntryEntity } from './ledger-entry.entity';

/** An entry as clients see it: built field by field, so that a new column never leaks. */
export class LedgerEntryResponse {
  @ApiProperty({ format: 'uuid' })
  id!: string;

  @ApiProperty({ example: 'treasury' })
  relayer_id!: string;

  @ApiProperty({ example: 'Invoice 42 is paid' })
  statement!: string;

  @ApiProperty({ pattern: '^[0-9a-f]{130}$' })
  signature!: string;

  @ApiProperty({ format: 'date-time' })
  created_at!: string;
}

export const toLedgerEntryResponse = (entry: LedgerEntryEntity): LedgerEntryResponse => ({
  id: entry.id,
  relayer_id: entry.relayerId,
  statement: entry.statement,
  signature: entry.signature,
  created_at: entry.createdAt.toISOString(),
});
