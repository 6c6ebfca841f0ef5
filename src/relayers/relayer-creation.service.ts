import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OngoingAccess } from '../access/ongoing-access';
import { assertStaysReachable, currentReach, outOfReach } from '../access/relayer-reach';
import { ApprovalsService } from '../approvals/approvals.service';
import { fingerprintOf } from '../approvals/fingerprint';
import { type DomainError, invalidRequest } from '../common/errors/domain-error';
import { recordWarning } from '../common/http/request-context';
import type { NetworkType } from '../chains/network-type';
import { isForeignKeyViolation, isUniqueViolation } from '../database/drivers/driver-errors';
import { UnitOfWork } from '../database/unit-of-work';
import { NetworksService } from '../networks/networks.service';
import { assertCallableRpcUrls } from '../networks/rpc-urls';
import { OutboundGuard } from '../outbound/outbound-guard';
import type { SignerEntity } from '../signers/signer.entity';
import { SignerUnsuitableError } from '../signers/signer-provider';
import { SignerKeys } from '../signers/opening/signer-keys';
import { SignerReach } from '../signers/signer-reach';
import { SignersService } from '../signers/signers.service';
import type { CreateRelayerDto } from './dto/create-relayer.dto';
import { CheckMonitor } from './checks/check-monitor';
import { parsePolicies } from './policies/policies';
import { FormerRelayers } from './former-relayers';
import { NewRelayerApprovals } from './new-relayer-approvals';
import { RelayerAccounts } from './relayer-accounts';
import { PolicyWarnings } from './policies/policy-warnings.service';
import type { RelayerEntity } from './relayer.entity';
import { type NewRelayer, toNewRelayer } from './new-relayer';
import { RelayerChangesService } from './relayer-changes.service';
import { RelayersService } from './relayers.service';

/** The maximum number of attempts, if the reason for a refusal has disappeared by the time it is looked up. */
const MAX_ATTEMPTS = 5;

/** Creates relayers, and explains why one cannot be created. */
@Injectable()
export class RelayerCreationService {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly relayers: RelayersService,
    private readonly changes: RelayerChangesService,
    private readonly accounts: RelayerAccounts,
    private readonly former: FormerRelayers,
    private readonly newApprovals: NewRelayerApprovals,
    private readonly signers: SignersService,
    private readonly reach: SignerReach,
    private readonly keys: SignerKeys,
    private readonly networks: NetworksService,
    private readonly monitor: CheckMonitor,
    private readonly guard: OutboundGuard,
    private readonly warnings: PolicyWarnings,
    private readonly approvals: ApprovalsService,
    private readonly access: OngoingAccess,
  ) {}

  /**
   * Creates a relayer. The database decides: of concurrent requests for the same id, the same signer on the same
   * network, or the same account, only one succeeds. The response contains the result of the first check, unless that
   * takes too long.
   *
   * @throws DomainError `invalid_request`, `signer_not_found`, `notification_not_found`, `relayer_exists`,
   * `signer_in_use`, `account_in_use`, `forbidden` for what is out of reach of the request; ApprovalRequiredError
   */
  async create(dto: CreateRelayerDto): Promise<RelayerEntity> {
    assertCallableRpcUrls(this.guard, 'custom_rpc_urls', dto.custom_rpc_urls ?? []);
    const signer = await this.signers.getOrThrow(dto.signer_id);
    const created = await this.store(await this.plan(dto, signer), signer);
    await this.monitor.checkNew(created);
    for (const warning of await this.warnings.of(created, dto.policies)) recordWarning(warning);
    return (await this.relayers.find(created.id)) ?? created;
  }

  /**
   * Asserts that the request reaches the relayers that a new one concerns: the source of its coins, the others of its
   * signer and of its key, and earlier ones with its id, its signer or its key.
   *
   * @throws DomainError `forbidden`
   */
  async assertReach(id: string, dto: CreateRelayerDto): Promise<void> {
    await this.relayers.assertReachesSource(id, dto.policies);
    await this.reach.assertReachesAllOf(dto.signer_id);
    await this.former.assertReaches(id);
    const signer = await this.signers.find(dto.signer_id);
    if (!signer) return;
    const address = await this.addressToJudge(signer, dto.network_type);
    await this.reach.assertReachesOthersAt({ id, address });
    await this.reach.assertReachesFormer({ id, signerId: signer.id, address });
  }

  private async store(relayer: NewRelayer, signer: SignerEntity, attempt = 1): Promise<RelayerEntity> {
    try {
      return await this.unitOfWork.run(async () => {
        // The address must belong to this signer, not to one that was created with the same id meanwhile.
        await this.signers.lock(signer);
        // A key service may have been called for the address, and the request's API key revoked or narrowed meanwhile.
        await this.access.recheck('relayers:write');
        const created = await this.changes.create(relayer, this.monitor.leaseForNew());
        // Not before: on servers, the first read that does not lock determines what all later ones see, and the
        // statements above may have waited.
        assertStaysReachable(relayer);
        await this.reach.assertReachesAllOf(signer.id);
        await this.reach.assertReachesOthersAt(created);
        await this.former.assertReaches(created.id);
        await this.reach.assertReachesFormer(created);
        await this.requireApproval(created, signer);
        return created;
      });
    } catch (error) {
      const [isTaken, isMissing] = [isUniqueViolation(error), isForeignKeyViolation(error)];
      if (!isTaken && !isMissing) throw error;
      const reason = isTaken ? await this.explainTaken(relayer) : await this.explainMissing(relayer);
      // The other relayer was deleted, or the missing row was created again.
      if (!reason && attempt < MAX_ATTEMPTS) return this.store(relayer, signer, attempt + 1);
      throw reason ?? error;
    }
  }

  /**
   * Approval is only requested for a relayer that can be created. It applies to this key and this chain, whatever the
   * ids refer to later, and no longer once the last relayer with its id or account was deleted.
   */
  private async requireApproval(relayer: RelayerEntity, signer: SignerEntity): Promise<void> {
    const kinds = await this.newApprovals.kindsOf(relayer);
    if (!this.approvals.concerns(kinds)) return;
    const { id, group, address, chainId } = relayer;
    const last = await this.former.lastDeletionBefore(relayer);
    const base = fingerprintOf([signer.id, signer.createdAt, address, chainId, last]);
    await this.approvals.require(kinds, { base, relayer: { id, group } });
  }

  private async plan(dto: CreateRelayerDto, signer: SignerEntity): Promise<NewRelayer> {
    const id = dto.id ?? randomUUID();
    assertStaysReachable({ id, group: dto.group ?? null });
    if (currentReach()) await this.relayers.assertReachesSource(id, dto.policies);
    const policies = parsePolicies(dto.network_type, dto.policies ?? {});
    await this.networks.getByNameOrThrow(dto.network, dto.network_type);
    const address = await this.addressOf(signer, dto.network_type);
    return toNewRelayer(dto, { id, address, policies });
  }

  /** A unit of work does not wait for a key service, because others wait for it. @throws DomainError `forbidden` */
  private async addressToJudge(signer: SignerEntity, networkType: NetworkType): Promise<string> {
    const known = this.keys.knownAddressOf(signer, networkType);
    if (known !== undefined) return known;
    if (this.unitOfWork.inProgress)
      throw outOfReach(`the account of signer '${signer.id}', which is not known`);
    return this.addressOf(signer, networkType);
  }

  private async addressOf(signer: SignerEntity, networkType: NetworkType): Promise<string> {
    try {
      return await this.keys.addressOf(signer, networkType);
    } catch (error) {
      if (!(error instanceof SignerUnsuitableError)) throw error;
      throw invalidRequest(`signer ${signer.id} has no account on ${networkType} networks`);
    }
  }

  private async explainTaken(relayer: NewRelayer): Promise<DomainError | undefined> {
    // A key that may not add a relayer to a signer does not learn on which networks the signer has others.
    await this.reach.assertReachesAllOf(relayer.signerId);
    const { chainId } = await this.networks.getByNameOrThrow(relayer.network, relayer.networkType);
    return this.accounts.conflictOf(relayer, chainId);
  }

  /** The error for the first row that the relayer refers to and that does not exist; undefined if all of them exist. */
  private async explainMissing(relayer: NewRelayer): Promise<DomainError | undefined> {
    await this.signers.getOrThrow(relayer.signerId);
    await this.networks.getByNameOrThrow(relayer.network, relayer.networkType);
    return undefined;
  }
}
