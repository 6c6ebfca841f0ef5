import { Injectable } from '@nestjs/common';
import { NetworksService } from '../networks/networks.service';
import { NotificationsService } from '../notifications/notifications.service';
import { RelayersService } from '../relayers/relayers.service';
import { SignersService } from '../signers/signers.service';
import type { StoredItems } from './configured-items';

/** The items of the database, for the check of the configuration file. */
@Injectable()
export class DatabaseItems implements StoredItems {
  constructor(
    private readonly signers: SignersService,
    private readonly notifications: NotificationsService,
    private readonly networks: NetworksService,
    private readonly relayers: RelayersService,
  ) {}

  hasSigner(id: string): Promise<boolean> {
    return this.signers.exists(id);
  }

  hasNotification(id: string): Promise<boolean> {
    return this.notifications.exists(id);
  }

  hasNetwork(id: string): Promise<boolean> {
    return this.networks.exists(id);
  }

  hasRelayer(id: string): Promise<boolean> {
    return this.relayers.exists(id);
  }
}
