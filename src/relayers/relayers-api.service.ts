import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import type { ListPage } from '../common/pagination/list-page';
import { checkedPage, type PageRequest } from '../common/pagination/page-request';
import { validated } from '../common/validation/body-validation';
import { assertOutsideUnits } from '../database/outside-units';
import { CreateRelayerDto } from './dto/create-relayer.dto';
import { toRelayerResponse } from './dto/relayer.response';
import { UpdateRelayerDto } from './dto/update-relayer.dto';
import { RelayerChangesService } from './relayer-changes.service';
import type { RelayerEntity } from './relayer.entity';
import { RelayerCreations, RelayerUpdates } from './relayer-requests';
import { type NewRelayerRequest, type Relayer, type RelayerPatch, RelayersApi } from './relayers.api';
import { RelayersService } from './relayers.service';

/** The service's own implementation of {@link RelayersApi}. */
@Injectable()
export class RelayersApiService extends RelayersApi {
  constructor(
    private readonly relayers: RelayersService,
    private readonly creations: RelayerCreations,
    private readonly updates: RelayerUpdates,
    private readonly changes: RelayerChangesService,
    private readonly access: OngoingAccess,
  ) {
    super();
  }

  async list(query: PageRequest): Promise<ListPage<Relayer>> {
    await this.access.assert('relayers:read');
    return (await this.relayers.list(checkedPage(query))).map((relayer) => this.response(relayer));
  }

  async get(id: string): Promise<Relayer> {
    await this.access.assert('relayers:read');
    return this.response(await this.relayers.getOrThrow(id));
  }

  async create(request: NewRelayerRequest): Promise<Relayer | PendingChangeResponse> {
    assertOutsideUnits('RelayersApi.create');
    await this.access.assert('relayers:write');
    return this.responseOrPending(await this.creations.request(await validated(CreateRelayerDto, request)));
  }

  /** `RelayerChangesService.update` decides which scope the patch requires. */
  async update(id: string, patch: RelayerPatch): Promise<Relayer | PendingChangeResponse> {
    await this.access.assert('relayers:write', 'relayers:pause');
    return this.responseOrPending(await this.updates.request(id, await validated(UpdateRelayerDto, patch)));
  }

  async delete(id: string): Promise<void> {
    await this.access.assert('relayers:write');
    await this.changes.delete(id);
  }

  private responseOrPending(result: RelayerEntity | PendingChangeResponse): Relayer | PendingChangeResponse {
    return result instanceof PendingChangeResponse ? result : this.response(result);
  }

  private response(relayer: RelayerEntity): Relayer {
    return toRelayerResponse(relayer, this.relayers.rpcUrlsOf(relayer));
  }
}
