import type { PendingChangeResponse } from '../approvals/dto/pending-change.response';
import type { ListPage } from '../common/pagination/list-page';
import type { PageRequest } from '../common/pagination/page-request';
import type { CreateRelayerDto } from './dto/create-relayer.dto';
import type { RelayerResponse } from './dto/relayer.response';
import type { UpdateRelayerDto } from './dto/update-relayer.dto';

/** A relayer, as `GET /api/v1/relayers/{relayer_id}` returns it. @public */
export type Relayer = RelayerResponse;

/** The members of `POST /api/v1/relayers`. @public */
export type NewRelayerRequest = { [Member in keyof CreateRelayerDto]: CreateRelayerDto[Member] };

/** A JSON merge patch (RFC 7396), as accepted by `PATCH /api/v1/relayers/{relayer_id}`. @public */
export type RelayerPatch = { [Member in keyof UpdateRelayerDto]: UpdateRelayerDto[Member] };

/**
 * Relayers, by the same rules as the routes, which use this port: scopes and reach of the current request, validation,
 * approvals, audit and events. Outside of a request, and in `outsideRequests`, the caller is the service itself. Then a
 * change that needs approval is refused with `approval_required`, because it has no requester.
 *
 * @public
 */
export abstract class RelayersApi {
  /** Lists the relayers that the caller can reach. @throws DomainError `forbidden` */
  abstract list(query: PageRequest): Promise<ListPage<Relayer>>;

  /** @throws DomainError `relayer_not_found`, `forbidden` */
  abstract get(id: string): Promise<Relayer>;

  /**
   * @returns the relayer, or the change that waits for approval
   * @throws DomainError `invalid_request`, `relayer_exists`, `signer_in_use`, `account_in_use`, `forbidden`,
   * `approval_required`, …
   * @throws Error in a unit of work, because the new relayer is opened and checked, and may have to wait for approval
   */
  abstract create(request: NewRelayerRequest): Promise<Relayer | PendingChangeResponse>;

  /**
   * @returns the relayer, or the change that waits for approval
   * @throws DomainError `relayer_not_found`, `invalid_request`, `forbidden`, `approval_required`, …
   */
  abstract update(id: string, patch: RelayerPatch): Promise<Relayer | PendingChangeResponse>;

  /** @throws DomainError `relayer_not_found`, `relayer_in_use`, `forbidden` */
  abstract delete(id: string): Promise<void>;
}
