import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ChangeOperation, type Stored } from '../approvals/change-operation';
import { ApprovalRequiredError } from '../approvals/change.errors';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { orOn } from '../common/errors/or-on';
import { recordWarning } from '../common/http/request-context';
import { withWeights } from '../networks/dto/rpc-url.dto';
import { toRpcUrlResponse } from '../networks/dto/rpc-url.response';
import type { RpcUrl } from '../networks/rpc-urls';
import type { CreateRelayerDto } from './dto/create-relayer.dto';
import type { UpdateRelayerDto } from './dto/update-relayer.dto';
import { RelayerCreationService } from './relayer-creation.service';
import type { RelayerEntity } from './relayer.entity';
import { RelayerChangesService } from './relayer-changes.service';

/** The URLs may contain keys of providers. */
interface RelayerSecrets {
  custom_rpc_urls: RpcUrl[];
}

interface RelayerUpdate {
  relayer_id: string;
  patch: Stored<UpdateRelayerDto>;
}

/** The id is set even if the caller supplies none. */
type RelayerCreation = Stored<CreateRelayerDto> & { id: string };

/** Changes relayers, which may require approval by others. */
@Injectable()
export class RelayerUpdates extends ChangeOperation<RelayerUpdate, RelayerEntity, RelayerSecrets> {
  readonly name = 'update_relayer';
  readonly scopes = ['relayers:write', 'relayers:pause'] as const;

  constructor(private readonly changes: RelayerChangesService) {
    super();
  }

  /**
   * Pausing never waits: if other members of the patch require approval, the relayer is paused, and the rest is stored.
   *
   * @throws DomainError as `RelayerChangesService.update`
   */
  async request(
    relayerId: string,
    patch: Stored<UpdateRelayerDto>,
  ): Promise<RelayerEntity | PendingChangeResponse> {
    if (patch.paused !== true) return this.submitPatch(relayerId, patch);
    const { paused, ...rest } = patch;
    const updated = await orOn(ApprovalRequiredError, undefined, () => this.changes.update(relayerId, patch));
    if (updated) return updated;
    await this.changes.update(relayerId, { paused });
    recordWarning('The relayer is paused now; only the rest of the request needs approval');
    return this.submitPatch(relayerId, rest);
  }

  override assertReach({ relayer_id: id, patch }: RelayerUpdate): Promise<void> {
    return this.changes.assertReachesSource(id, patch);
  }

  apply({ relayer_id: id, patch }: RelayerUpdate, secrets?: RelayerSecrets): Promise<RelayerEntity> {
    return this.changes.update(id, { ...patch, ...secrets });
  }

  private submitPatch(
    relayerId: string,
    patch: Stored<UpdateRelayerDto>,
  ): Promise<RelayerEntity | PendingChangeResponse> {
    return this.submit({ relayer_id: relayerId, patch: masked(patch) }, secretsOf(patch));
  }
}

/** Creates relayers, which may require approval by others. */
@Injectable()
export class RelayerCreations extends ChangeOperation<RelayerCreation, RelayerEntity, RelayerSecrets> {
  readonly name = 'create_relayer';
  readonly scopes = ['relayers:write'] as const;

  constructor(private readonly creation: RelayerCreationService) {
    super();
  }

  /** @throws DomainError as `RelayerCreationService.create` */
  request(body: Stored<CreateRelayerDto>): Promise<RelayerEntity | PendingChangeResponse> {
    const wanted = { ...body, id: body.id ?? randomUUID() };
    return this.submit(masked(wanted), secretsOf(wanted));
  }

  override assertReach(request: RelayerCreation): Promise<void> {
    return this.creation.assertReach(request.id, request);
  }

  apply(request: RelayerCreation, secrets?: RelayerSecrets): Promise<RelayerEntity> {
    return this.creation.create({ ...request, ...secrets });
  }
}

/** The request in the form that approvers see. */
function masked<T extends Pick<UpdateRelayerDto, 'custom_rpc_urls'>>(body: T): Stored<T> {
  const urls = body.custom_rpc_urls;
  return urls ? { ...body, custom_rpc_urls: withWeights(urls).map(toRpcUrlResponse) } : body;
}

const secretsOf = ({
  custom_rpc_urls: urls,
}: Pick<UpdateRelayerDto, 'custom_rpc_urls'>): RelayerSecrets | undefined =>
  urls ? { custom_rpc_urls: withWeights(urls) } : undefined;
