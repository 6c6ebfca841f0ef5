import { Injectable } from '@nestjs/common';
import { currentReach, isReachable, outOfReach, reachCondition } from '../access/relayer-reach';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { SecretCipher } from '../secrets/secret-cipher';
import { IDENTIFIER } from '../common/validation/fields';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { RowLookup } from '../database/integrity/row-lookup';
import { UnitOfWork } from '../database/unit-of-work';
import { FREEZE_REASON_SQL } from '../freeze/signing-freeze.entity';
import { signingFrozen } from '../freeze/signing-freeze.errors';
import { type RpcUrl } from '../networks/rpc-urls';
import { openCustomRpcUrls } from './custom-rpc-urls';
import type { WithTopUp } from './policies/top-up-policy.dto';
import { relayerDisabled, relayerNotFound, relayerPaused } from './relayer.errors';
import { RelayerRows } from './relayer-rows';
import { RelayersByAddress } from './relayers-by-address';
import { ACTING_PROPERTIES, type ActingRelayer, RelayerEntity } from './relayer.entity';

/** How many relayers have the address, this one included. Their number is read from the index alone. */
const WITH_ADDRESS_SQL = '(SELECT COUNT(*) FROM relayers AS same WHERE same.address = relayers.address)';

/** A relayer that is about to sign. */
export type SigningRelayer = ActingRelayer & { readonly withAddress: unknown };

/** Finds the relayers that the current request can reach. */
@Injectable()
export class RelayersService {
  private readonly byAddress: RelayersByAddress;
  private readonly lookup: RowLookup<RelayerEntity, keyof ActingRelayer, 'freezeReason' | 'withAddress'>;

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly relayers: RelayerRows,
    private readonly cipher: SecretCipher,
    integrity: RowIntegrity,
  ) {
    this.byAddress = new RelayersByAddress(unitOfWork);
    this.lookup = new RowLookup(unitOfWork, RelayerEntity, ACTING_PROPERTIES, {
      integrity,
      computed: { freezeReason: FREEZE_REASON_SQL, withAddress: WITH_ADDRESS_SQL },
    });
  }

  list(query: PageQuery): Promise<ListPage<RelayerEntity>> {
    const reach = currentReach();
    return this.relayers.list(query, reach && reachCondition(reach));
  }

  /** @throws RowAlteredError */
  async find(id: string): Promise<Readonly<RelayerEntity> | null> {
    const relayer = IDENTIFIER.test(id) ? await this.relayers.findById(id) : null;
    return relayer && isReachable(relayer) ? relayer : null;
  }

  /** Also true for a relayer whose row was altered. */
  async exists(id: string): Promise<boolean> {
    if (!IDENTIFIER.test(id)) return false;
    const select = { id: true, group: true };
    const relayer = await this.unitOfWork.repository(RelayerEntity).findOne({ select, where: { id } });
    return relayer !== null && isReachable(relayer);
  }

  /**
   * A relayer that may sign now. It may be disabled by the system, because signatures do not need the chain.
   *
   * @throws DomainError `relayer_not_found`, `row_altered`, `signing_frozen`, `relayer_paused`, in this order
   */
  async getForSigning(id: string): Promise<SigningRelayer> {
    const relayer = await this.lookUp(id);
    if (!relayer || !isReachable(relayer)) throw relayerNotFound(id);
    if (typeof relayer.freezeReason === 'string') throw signingFrozen(relayer.freezeReason);
    if (relayer.paused) throw relayerPaused();
    return relayer;
  }

  /** Whether other relayers have the address of this one, on other chains. */
  hasOthers({ withAddress }: SigningRelayer): boolean {
    return Number(withAddress) > 1;
  }

  /** The other relayers with the address of this one, whether the request reaches them or not. @throws RowAlteredError */
  async othersOf(relayer: SigningRelayer): Promise<ActingRelayer[]> {
    const others = (await this.idsOfOthers(relayer)).map((id) => this.lookUp(id));
    return (await Promise.all(others)).filter((other) => other !== null);
  }

  /**
   * Reads a relayer again as {@link getForSigning} does, and {@link othersOf} in the same statement, so that what is
   * decided about all of them is not older than one statement.
   */
  async getAgain(relayer: SigningRelayer): Promise<{ relayer: SigningRelayer; others: ActingRelayer[] }> {
    const ids = await this.idsOfOthers(relayer);
    const [now, ...others] = await Promise.all([
      this.getForSigning(relayer.id),
      ...ids.map((id) => this.lookUp(id)),
    ]);
    // Others were created meanwhile: what is decided about them is not older than the relayer.
    if (Number(now.withAddress) - 1 > ids.length) return { relayer: now, others: await this.othersOf(now) };
    return { relayer: now, others: others.filter((other) => other !== null) };
  }

  private async idsOfOthers(relayer: SigningRelayer): Promise<string[]> {
    if (!this.hasOthers(relayer)) return [];
    return (await this.byAddress.idsOf(relayer.address)).filter((id) => id !== relayer.id);
  }

  /**
   * A relayer that may use its chain now.
   *
   * @throws DomainError `relayer_not_found`, `row_altered`, `relayer_paused`, `relayer_disabled`, in this order
   */
  async getForChain(id: string): Promise<ActingRelayer> {
    const relayer = await this.lookUp(id);
    if (!relayer || !isReachable(relayer)) throw relayerNotFound(id);
    if (relayer.paused) throw relayerPaused();
    if (relayer.systemDisabled) throw relayerDisabled(relayer.disabledReason);
    return relayer;
  }

  /**
   * A relayer that may send a transaction now, which requires signing as well as the chain.
   *
   * @throws DomainError `relayer_not_found`, `row_altered`, `signing_frozen`, `relayer_paused`, `relayer_disabled`
   */
  async getForSending(id: string): Promise<ActingRelayer> {
    const relayer = await this.getForSigning(id);
    if (relayer.systemDisabled) throw relayerDisabled(relayer.disabledReason);
    return relayer;
  }

  /**
   * A relayer whose accepted transactions are processed, even while it is paused or disabled; while signing is frozen,
   * nothing is signed. Null if it does not exist. For background work, which reaches all relayers.
   *
   * @returns with `readAt`, when it was read, in milliseconds of `performance.now()`
   * @throws RowAlteredError
   */
  async findForProcessing(
    id: string,
  ): Promise<{ relayer: ActingRelayer; readAt: number; isFrozen: boolean } | null> {
    const relayer = await this.lookUp(id);
    const readAt = performance.now();
    return relayer && { relayer, readAt, isFrozen: typeof relayer.freezeReason === 'string' };
  }

  /** @throws DomainError `relayer_not_found`, `row_altered` */
  async getOrThrow(id: string): Promise<Readonly<RelayerEntity>> {
    const relayer = await this.find(id);
    if (!relayer) throw relayerNotFound(id);
    return relayer;
  }

  /** The relayer's own RPC endpoints; undefined if it uses those of its network. */
  rpcUrlsOf(relayer: ActingRelayer): RpcUrl[] | undefined {
    return openCustomRpcUrls(this.cipher, relayer);
  }

  /**
   * Asserts that the request can reach the relayer from which a top-up takes coins.
   *
   * @param id the relayer that would receive the coins
   * @throws DomainError `forbidden`
   */
  async assertReachesSource(id: string, policies: object | null | undefined): Promise<void> {
    const { from_relayer: from } = (policies as WithTopUp | null | undefined)?.top_up ?? {};
    if (typeof from !== 'string' || from === id || (await this.find(from))) return;
    throw outOfReach('the relayer of policies.top_up.from_relayer');
  }

  /** Not async: every additional promise would slow down each signature. */
  private lookUp(id: string) {
    return IDENTIFIER.test(id) ? this.lookup.find(id) : Promise.resolve(null);
  }
}
