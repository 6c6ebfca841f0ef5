import { Module } from '@nestjs/common';
import { original } from '../common/ports/original';
import { AccessModule } from '../access/access.module';
import { EventLoopTurns, eventLoopTurns } from '../common/event-loop/event-loop-turns';
import { NetworksModule } from '../networks/networks.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { RelayersModule } from '../relayers/relayers.module';
import { SignersModule } from '../signers/signers.module';
import { MessagesController } from './messages/messages.controller';
import { SignatureEvents } from './signature-events';
import { SignatureRecords } from './signature-records';
import { SigningApiService } from './signing-api.service';
import { SigningApi } from './signing.api';
import { TypedDataController } from './typed-data/typed-data.controller';
import { SigningConfirmation } from './signing-confirmation';
import { SigningFlow } from './signing-flow';
import { SigningMetrics } from './signing.metrics';
import { TypedDataService } from './typed-data/typed-data.service';
import { RawTransactionsController } from './raw-transactions/raw-transactions.controller';
import { RawTransactionsService } from './raw-transactions/raw-transactions.service';

/** The routes for signing. */
@Module({
  imports: [AccessModule, RelayersModule, NetworksModule, NotificationsModule, SignersModule],
  controllers: [TypedDataController, MessagesController, RawTransactionsController],
  providers: [
    TypedDataService,
    { provide: original(SigningApi), useClass: SigningApiService },
    SigningConfirmation,
    SigningFlow,
    SignatureEvents,
    SignatureRecords,
    SigningMetrics,
    RawTransactionsService,
    { provide: EventLoopTurns, useValue: eventLoopTurns },
  ],
  exports: [SignatureEvents, SignatureRecords, SigningMetrics, original(SigningApi)],
})
export class SigningModule {}
