import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ApprovalsService } from '../approvals/approvals.service';
import { type ChangeOperation, ChangeOperations } from '../approvals/change-operations';
import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import { withWeights } from '../networks/dto/rpc-url.dto';
import { toRpcUrlResponse } from '../networks/dto/rpc-url.response';
import type { RpcUrl } from '../networks/rpc-urls';
import type { CreateRelayerDto } from './dto/create-relayer.dto';
import type { UpdateRelayerDto } from './dto/update-relayer.dto';
import { RelayerCreationService } from './relayer-creation.service';
import type { RelayerEntity } from './relayer.entity';
import { RelayerChangesService } from './relayer-changes.service';

/** A body as it is stored: an object of no class. */
type Stored<Body> = { [Member in keyof Body]: Body[Member] };

/** They carry provider keys. */
interface RelayerSecrets {
  custom_rpc_urls: RpcUrl[];
}

interface RelayerUpdate {
  relayer_id: string;
  patch: Stored<UpdateRelayerDto>;
}

/** Changes relayers, which may have to wait for the approval of others. */
@Injectable()
export class RelayerUpdates implements ChangeOperation<RelayerUpdate, RelayerSecrets> {
  readonly name = 'update_relayer';
  readonly scopes = ['relayers:write', 'relayers:pause'] as const;

  constructor(
    private readonly changes: RelayerChangesService,
    private readonly approvals: ApprovalsService,
    operations: ChangeOperations,
  ) {
    operations.register(this);
  }

  /** @throws DomainError as `RelayerChangesService.update` */
  request(
    relayerId: string,
    patch: Stored<UpdateRelayerDto>,
  ): Promise<RelayerEntity | PendingChangeResponse> {
    const submitted = () => ({
      request: { relayer_id: relayerId, patch: masked(patch) },
      secrets: secretsOf(patch),
    });
    return this.approvals.submit(this, submitted, () => this.changes.update(relayerId, patch));
  }

  apply({ relayer_id: id, patch }: RelayerUpdate, secrets?: RelayerSecrets): Promise<RelayerEntity> {
    return this.changes.update(id, { ...patch, ...secrets });
  }
}

/** Creates relayers, which may have to wait for the approval of others. */
@Injectable()
export class RelayerCreations implements ChangeOperation<Stored<CreateRelayerDto>, RelayerSecrets> {
  readonly name = 'create_relayer';
  readonly scopes = ['relayers:write'] as const;

  constructor(
    private readonly creation: RelayerCreationService,
    private readonly approvals: ApprovalsService,
    operations: ChangeOperations,
  ) {
    operations.register(this);
  }

  /** @throws DomainError as `RelayerCreationService.create` */
  request(body: Stored<CreateRelayerDto>): Promise<RelayerEntity | PendingChangeResponse> {
    const wanted = { ...body, id: body.id ?? randomUUID() };
    const submitted = () => ({ request: masked(wanted), secrets: secretsOf(wanted) });
    return this.approvals.submit(this, submitted, () => this.creation.create(wanted));
  }

  apply(request: Stored<CreateRelayerDto>, secrets?: RelayerSecrets): Promise<RelayerEntity> {
    return this.creation.create({ ...request, ...secrets });
  }
}

/** As approvers may see it. */
function masked<T extends Pick<UpdateRelayerDto, 'custom_rpc_urls'>>(body: T): Stored<T> {
  const urls = body.custom_rpc_urls;
  return urls ? { ...body, custom_rpc_urls: withWeights(urls).map(toRpcUrlResponse) } : body;
}

const secretsOf = ({
  custom_rpc_urls: urls,
}: Pick<UpdateRelayerDto, 'custom_rpc_urls'>): RelayerSecrets | undefined =>
  urls ? { custom_rpc_urls: withWeights(urls) } : undefined;
