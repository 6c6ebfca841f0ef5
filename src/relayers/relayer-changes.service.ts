import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { assertScope } from '../access/assert-scope';
import { OngoingAccess } from '../access/ongoing-access';
import { assertStaysReachable, isReachable } from '../access/relayer-reach';
import type { Scope } from '../access/scopes';
import { AuditLog } from '../audit/audit-log';
import { ApprovalsService } from '../approvals/approvals.service';
import { KeyedTurns } from '../common/event-loop/keyed-turns';
import { orOn } from '../common/errors/or-on';
import { recordWarning } from '../common/http/request-context';
import { SecretCipher } from '../secrets/secret-cipher';
import { IDENTIFIER } from '../common/validation/fields';
import { isForeignKeyViolation } from '../database/drivers/driver-errors';
import { relayersWith } from '../database/references';
import { nextRevision } from '../database/integrity/revised-rows';
import { RowAlteredError } from '../database/integrity/row-altered.error';
import { UnitOfWork } from '../database/unit-of-work';
import { withWeights } from '../networks/dto/rpc-url.dto';
import { assertCallableRpcUrls } from '../networks/rpc-urls';
import { NotificationsService } from '../notifications/notifications.service';
import { OutboundGuard } from '../outbound/outbound-guard';
import type { UpdateRelayerDto } from './dto/update-relayer.dto';
import { sealCustomRpcUrls } from './custom-rpc-urls';
import { patchPolicies, type Policies } from './policies/policies';
import { PolicyWarnings } from './policies/policy-warnings.service';
import type { TopUpPolicy, WithTopUp } from './policies/top-up-policy.dto';
import { assertTopUpFromAnother } from './policies/top-up-source';
import { relayerCreated, relayerDeleted, relayerUpdated } from './relayer-audit';
import { relayerInUse, relayerNotFound, relayerRestrictsOthers } from './relayer.errors';
import { RelayerEntity } from './relayer.entity';
import { approvalKindsOf, approvalKindsOfDeletion } from './relayer-approvals';
import { type FormerRelayer, FormerRelayers } from './former-relayers';
import { RelayerAccounts } from './relayer-accounts';
import { RelayerEvents } from './relayer-events';
import type { NewRelayer } from './new-relayer';
import { RelayerRows } from './relayer-rows';
import { RelayersService } from './relayers.service';
import { TopUpSources } from './top-up-sources';

/** How long a change of a relayer waits for the previous one in this process. */
const PATIENCE_MS = 250;

/** Creates, changes and deletes relayers, each in one unit of work with its audit entry and events. */
@Injectable()
export class RelayerChangesService {
  private readonly turns = new KeyedTurns(PATIENCE_MS);

  /** Emits when a relayer changed in a way that may affect whether it can work. */
  readonly checkWanted = new Subject<void>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly relayers: RelayerRows,
    private readonly lookups: RelayersService,
    private readonly cipher: SecretCipher,
    private readonly guard: OutboundGuard,
    private readonly events: RelayerEvents,
    private readonly notifications: NotificationsService,
    private readonly accounts: RelayerAccounts,
    private readonly former: FormerRelayers,
    private readonly warnings: PolicyWarnings,
    private readonly audit: AuditLog,
    private readonly approvals: ApprovalsService,
    private readonly access: OngoingAccess,
    private readonly sources: TopUpSources,
  ) {}

  /**
   * Stores a relayer. It fails with a unique violation if the id is taken, the signer serves another relayer on the
   * network, or another relayer has the account: `RelayerAccounts.conflictOf` explains which.
   *
   * @param nextCheckAt the end of the lease of the first check, if the caller makes that itself
   * @throws DomainError `notification_not_found`; `forbidden` for a notification that others use; `invalid_request` if the network is EVM and its chain id is not
   * known, or if the relayer would top up itself
   */
  async create(relayer: NewRelayer, nextCheckAt: Date | null = null): Promise<RelayerEntity> {
    const { customRpcUrls, ...columns } = relayer;
    assertTopUpFromAnother(relayer.id, relayer.policies);
    return this.unitOfWork.run(async () => {
      if (columns.notificationId !== null) await this.notifications.lockToUse(columns.notificationId);
      await this.sources.holdFor(relayer.id, relayer.policies);
      const created = await this.relayers.insert({
        ...columns,
        chainId: await this.accounts.holdChainId(relayer.network, relayer.networkType),
        customRpcUrls: customRpcUrls && sealCustomRpcUrls(this.cipher, relayer.id, customRpcUrls),
        systemDisabled: false,
        disabledReason: null,
        nextCheckAt,
        // It has never passed a check, so the first failure disables it.
        failedChecks: 1,
        lowBalance: false,
        revision: null,
        createdAt: new Date(),
      });
      await this.audit.record(relayerCreated(created));
      return created;
    });
  }

  /** @throws DomainError `relayer_not_found`, `relayer_in_use` */
  async delete(id: string): Promise<void> {
    if (!IDENTIFIER.test(id)) throw relayerNotFound(id);
    try {
      await this.unitOfWork.run(() => this.deleteLocked(id));
    } catch (error) {
      throw isForeignKeyViolation(error) ? relayerInUse(id) : error;
    }
  }

  /**
   * Applies a JSON merge patch atomically: the second of two concurrent patches sees the result of the first.
   *
   * @throws DomainError `relayer_not_found`, `notification_not_found`, `invalid_request`, `row_altered`, `forbidden` if
   * more than `paused` changes without the scope `relayers:write`, or a group, a source of coins or a notification is out
   * of reach; `unauthorized` if the API key was revoked meanwhile; ApprovalRequiredError
   */
  async update(id: string, patch: UpdateRelayerDto): Promise<RelayerEntity> {
    if (!changesPausedAlone(patch)) assertScope('relayers:write');
    if (!IDENTIFIER.test(id)) throw relayerNotFound(id);
    assertCallableRpcUrls(this.guard, 'custom_rpc_urls', patch.custom_rpc_urls ?? []);
    const relayer = await this.turns.run(id, () => this.unitOfWork.run(() => this.patch(id, patch)));
    if (concernsChecks(patch)) this.checkWanted.next();
    if (patch.paused === false && relayer.systemDisabled) {
      recordWarning('The relayer is no longer paused but still disabled by the system: see disabled_reason');
    }
    for (const warning of await this.warnings.of(relayer, patch.policies)) recordWarning(warning);
    return relayer;
  }

  /**
   * Asserts that the request can reach the relayer from which a patch takes coins, if it sets a top-up.
   *
   * @throws DomainError `forbidden`
   */
  async assertReachesSource(id: string, patch: UpdateRelayerDto): Promise<void> {
    const patched = topUpOf(patch);
    if (!patched) return;
    const stored: WithTopUp | undefined = (await this.lookups.find(id))?.policies;
    const from_relayer = patched.from_relayer ?? stored?.top_up?.from_relayer;
    await this.lookups.assertReachesSource(id, { top_up: { from_relayer } });
  }

  private async patch(id: string, patch: UpdateRelayerDto): Promise<RelayerEntity> {
    const relayer = await this.relayers.findToChange(id);
    await this.recheck(relayer, patch);
    if (!relayer || !isReachable(relayer)) throw relayerNotFound(id);
    const changes = this.changesOf(relayer, patch);
    if (topUpOf(patch)) await this.sources.holdFor(id, changes.policies, relayer.policies);
    if (Object.keys(changes).length === 0) return relayer;
    const { notificationId = null } = changes;
    if (notificationId !== null && notificationId !== relayer.notificationId)
      await this.notifications.lockToUse(notificationId);
    await this.requireApproval(relayer, changes, patch);
    const after = await this.relayers.update(relayer, changes);
    const entry = relayerUpdated(relayer, after, isPausedAgain(relayer, patch));
    if (entry) await this.audit.record(entry);
    if (after.paused !== relayer.paused) await this.events.pausedOrResumed(after);
    const isUpdated = REPORTED.some((field) => !isDeepStrictEqual(after[field], relayer[field]));
    if (isUpdated) await this.events.updated(after);
    if (after.notificationId !== relayer.notificationId) await this.events.unlinked(relayer, after);
    return after;
  }

  /** A change of the relayer's row alone, such as its name, waits for no other and is not worth another statement. */
  private recheck(relayer: RelayerEntity | null, patch: UpdateRelayerDto): Promise<void> | undefined {
    const scopes: [Scope, ...Scope[]] = changesPausedAlone(patch)
      ? ['relayers:write', 'relayers:pause']
      : ['relayers:write'];
    const concernsOthers = relayer?.notificationId != null || patch.notification_id != null || topUpOf(patch);
    return concernsOthers ? this.access.recheck(...scopes) : this.access.recheckIfLate(...scopes);
  }

  private async requireApproval(
    relayer: RelayerEntity,
    changes: Partial<RelayerEntity>,
    { custom_rpc_urls: urls }: UpdateRelayerDto,
  ): Promise<void> {
    const endpoints =
      urls === undefined
        ? undefined
        : { before: this.lookups.rpcUrlsOf(relayer), after: urls ? withWeights(urls) : undefined };
    const kinds = approvalKindsOf(relayer, changes, endpoints);
    if (!this.approvals.concerns(kinds)) return;
    await this.approvals.require(kinds, { base: this.relayers.fingerprintOf(relayer), relayer });
  }

  private async deleteLocked(id: string): Promise<void> {
    const relayer = await this.findToDelete(id);
    await this.access.recheck('relayers:write');
    // The group of an altered row is unknown.
    if (!isReachable(relayer ?? { id, group: null })) throw relayerNotFound(id);
    await this.sources.assertNamedByNone(id);
    if (relayer) await this.assertRestrictsNoOther(relayer);
    const last = relayer ?? (await this.findAltered(id));
    if (!last || !(await this.relayers.delete(id))) throw relayerNotFound(id);
    await this.former.remember(last);
    await this.audit.record(relayerDeleted(id, relayer ?? undefined));
    if (relayer) await this.events.deleted(relayer);
  }

  /** Deleting a relayer needs no approval, so it must not loosen what others sign. @throws DomainError `relayer_in_use` */
  private async assertRestrictsNoOther(relayer: RelayerEntity): Promise<void> {
    if (!this.approvals.concerns(approvalKindsOfDeletion(relayer))) return;
    const { id, address } = relayer;
    const all = await relayersWith(this.unitOfWork.manager, { address });
    if (all.some((other) => other.id !== id)) throw relayerRestrictsOthers(id);
  }

  /** What an altered row says about its account. It is in no group, so that only keys that name it reach it. */
  private async findAltered(id: string): Promise<FormerRelayer | null> {
    const select = {
      id: true,
      signerId: true,
      address: true,
      networkType: true,
      network: true,
      chainId: true,
    } as const;
    const altered = await this.unitOfWork.repository(RelayerEntity).findOne({ select, where: { id } });
    return altered && Object.assign(altered, { group: null });
  }

  /** Null also for an altered row, because deleting it is a remedy. */
  private findToDelete(id: string): Promise<RelayerEntity | null> {
    return orOn(RowAlteredError, null, () => this.relayers.findToChange(id));
  }

  /** @throws DomainError `forbidden` if the request could not reach the relayer afterwards */
  private changesOf(relayer: RelayerEntity, patch: UpdateRelayerDto): Partial<RelayerEntity> {
    if (patch.group !== undefined) assertStaysReachable({ id: relayer.id, group: patch.group });
    return {
      ...(patch.group !== undefined && { group: patch.group }),
      ...(typeof patch.name === 'string' && { name: patch.name }),
      ...(patch.paused !== undefined && { paused: patch.paused }),
      // Pending requests to resume it are void: their approvers did not know of the new danger.
      ...(isPausedAgain(relayer, patch) && { revision: nextRevision(relayer) }),
      ...(patch.notification_id !== undefined && { notificationId: patch.notification_id }),
      ...(patch.custom_rpc_urls !== undefined && {
        customRpcUrls:
          patch.custom_rpc_urls &&
          sealCustomRpcUrls(this.cipher, relayer.id, withWeights(patch.custom_rpc_urls)),
      }),
      ...(patch.policies !== undefined && { policies: patchedPolicies(relayer, patch.policies) }),
      // Due now, after those that already wait: as with null, it would be checked before all others, however often.
      ...(concernsChecks(patch) && { nextCheckAt: new Date() }),
    };
  }
}

function patchedPolicies({ id, networkType, policies }: RelayerEntity, patch: object | null): Policies {
  const patched = patchPolicies(networkType, policies, patch);
  assertTopUpFromAnother(id, patched);
  return patched;
}

/**
 * Changes that `relayer_update` reports. RPC endpoints count as changed if the patch contains them, because no two
 * encryptions are equal.
 */
const REPORTED = ['name', 'group', 'notificationId', 'customRpcUrls', 'policies'] as const;

/** The members of a top-up that a patch sets, perhaps only its amounts; undefined if it sets none. */
const topUpOf = ({ policies }: UpdateRelayerDto): Partial<TopUpPolicy> | undefined =>
  (policies as WithTopUp | null | undefined)?.top_up ?? undefined;

const changesPausedAlone = (patch: UpdateRelayerDto): boolean =>
  patch.paused !== undefined &&
  Object.entries(patch).every(([name, value]) => name === 'paused' || value === undefined);

const isPausedAgain = (relayer: RelayerEntity, { paused }: UpdateRelayerDto): boolean =>
  relayer.paused && paused === true;

/** Whether a patch changes anything that checks depend on, which makes the result of a check in progress obsolete. */
const concernsChecks = ({ custom_rpc_urls: urls, policies }: UpdateRelayerDto): boolean =>
  urls !== undefined || policies !== undefined;
