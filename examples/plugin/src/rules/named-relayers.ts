import { Inject, Injectable } from '@nestjs/common';
import {
  invalidRequest,
  type NewRelayerRequest,
  original,
  type PendingChange,
  type Relayer,
  type RelayerPatch,
  RelayersApi,
} from 'relayer-management-service';

const PREFIX = 'Acme ';

/**
 * Replaces the service's own {@link RelayersApi}, including for the routes: the names of new relayers must follow a
 * rule.
 */
@Injectable()
export class NamedRelayers extends RelayersApi {
  constructor(@Inject(original(RelayersApi)) private readonly relayers: RelayersApi) {
    super();
  }

  create(request: NewRelayerRequest): Promise<Relayer | PendingChange> {
    assertNamed(request.name);
    return this.relayers.create(request);
  }

  update(id: string, patch: RelayerPatch): Promise<Relayer | PendingChange> {
    if (typeof patch.name === 'string') assertNamed(patch.name);
    return this.relayers.update(id, patch);
  }

  list(...query: Parameters<RelayersApi['list']>): ReturnType<RelayersApi['list']> {
    return this.relayers.list(...query);
  }

  get(id: string): Promise<Relayer> {
    return this.relayers.get(id);
  }

  delete(id: string): Promise<void> {
    return this.relayers.delete(id);
  }
}

function assertNamed(name: string): void {
  if (!name.startsWith(PREFIX)) throw invalidRequest(`name must begin with "${PREFIX}"`);
}
