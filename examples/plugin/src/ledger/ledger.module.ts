import { Module } from '@nestjs/common';
import { RelayerPlugin, RelayersApi } from 'relayer-management-service';
import { CreateLedgerDrafts1796000001000 } from '../drafts/create-ledger-drafts.migration';
import { DraftEntity } from '../drafts/draft.entity';
import { DraftWorker } from '../drafts/draft-worker';
import { NamedRelayers } from '../rules/named-relayers';
import { NoBlindSignatures } from '../rules/no-blind-signatures';
import { SeedPhraseFactory } from '../seed-phrase/seed-phrase.factory';
import { CreateLedgerEntries1796000000000 } from './create-ledger-entries.migration';
import { LedgerController } from './ledger.controller';
import { LedgerEntryEntity } from './ledger-entry.entity';
import { LedgerService } from './ledger.service';

/** Books signed statements in a ledger. */
@RelayerPlugin({
  name: 'acme-ledger',
  compatibility: '^1',
  entities: [LedgerEntryEntity, DraftEntity],
  migrations: [CreateLedgerEntries1796000000000, CreateLedgerDrafts1796000001000],
  scopes: ['acme-ledger.entries:read', 'acme-ledger.entries:write'],
  events: ['acme-ledger.entry_booked'],
  actions: ['acme-ledger.entry.create'],
  overrides: [{ port: RelayersApi, useClass: NamedRelayers }],
})
@Module({
  controllers: [LedgerController],
  providers: [LedgerService, DraftWorker, SeedPhraseFactory, NoBlindSignatures],
})
export class LedgerModule {}
