import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { In } from 'typeorm';
import { OngoingAccess } from '../access/ongoing-access';
import { currentPrincipal } from '../access/principal';
import { currentReach, isReachable, outOfReach } from '../access/relayer-reach';
import { AuditLog } from '../audit/audit-log';
import { forbidden, invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../chains/network-type';
import type { ListPage } from '../common/pagination/list-page';
import type { PageQuery } from '../common/pagination/page-query';
import { type SealedColumn, SecretCipher } from '../secrets/secret-cipher';
import { isStillReferenced, isUniqueViolation } from '../database/drivers/driver-errors';
import { type FoundRows, ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { UnitOfWork } from '../database/unit-of-work';
import { OutboundGuard } from '../outbound/outbound-guard';
import type { CreateNetworkDto } from './dto/create-network.dto';
import { toStoredFees } from './dto/network-fees.dto';
import { withWeights } from './dto/rpc-url.dto';
import type { UpdateNetworkDto } from './dto/update-network.dto';
import { networkCreated, networkDeleted, networkUpdated } from './network-audit';
import { NETWORK_PRIVATE_RPC_URLS, NETWORK_RPC_URLS, NetworkEntity } from './network.entity';
import { networkExists, networkInUse, networkNotFound, networkNotFoundFor } from './network.errors';
import { describeDependents, everyDependent } from '../database/references';
import {
  assertFieldsOwnedBy,
  nameOf,
  networkId,
  type NetworkUrls,
  type NewNetwork,
  toNewNetwork,
} from './new-network';
import { RpcMetrics } from './rpc.metrics';
import { openRpcUrls, assertCallableRpcUrls, type RpcUrl, sealRpcUrls } from './rpc-urls';

/** Manages the networks of relayers. */
@Injectable()
export class NetworksService {
  private readonly networks: ProtectedRows<NetworkEntity>;

  /** Emits networks whose RPC endpoints this instance has changed. */
  readonly endpointsChanged = new Subject<Pick<NetworkEntity, 'networkType' | 'name'>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly guard: OutboundGuard,
    private readonly rpcMetrics: RpcMetrics,
    private readonly audit: AuditLog,
    private readonly access: OngoingAccess,
    integrity: RowIntegrity,
  ) {
    this.networks = new ProtectedRows(unitOfWork, integrity, NetworkEntity, ['rpcUrls', 'privateRpcUrls']);
  }

  list(query: PageQuery): Promise<ListPage<NetworkEntity>> {
    return this.networks.list(query);
  }

  /** Like {@link list}, for callers that can continue without altered rows. */
  listIntact(query: PageQuery): Promise<FoundRows<NetworkEntity>> {
    return this.networks.listIntact(query);
  }

  /** @throws RowAlteredError */
  find(id: string): Promise<Readonly<NetworkEntity> | null> {
    return this.networks.findById(id);
  }

  /** The usable networks among these ids, and the ids of those whose rows were altered. */
  findIntact(ids: string[]): Promise<FoundRows<NetworkEntity>> {
    return this.networks.findIntact({ where: { id: In(ids) } });
  }

  /** Also true for a network whose row was altered. */
  exists(id: string): Promise<boolean> {
    return this.networks.exists({ id });
  }

  /** @throws DomainError `network_not_found`, `row_altered` */
  async getOrThrow(id: string): Promise<Readonly<NetworkEntity>> {
    const network = await this.find(id);
    if (!network) throw networkNotFound(id);
    return network;
  }

  /** The network of a relayer. @throws DomainError `invalid_request`, `row_altered` */
  async getByNameOrThrow(name: string, networkType: NetworkType): Promise<Readonly<NetworkEntity>> {
    const network = await this.find(networkId(networkType, name));
    if (!network) throw networkNotFoundFor(name, networkType);
    return network;
  }

  /**
   * Locks the network of a relayer until the end of the unit of work; null if there is none.
   *
   * @throws RowAlteredError
   */
  lock(name: string, networkType: NetworkType): Promise<NetworkEntity | null> {
    return this.networks.findToChange(networkId(networkType, name));
  }

  /** @throws DomainError `invalid_request`, `network_exists` */
  async createNew(dto: CreateNetworkDto): Promise<NetworkEntity> {
    this.assertCallable(dto);
    if (typeof dto.horizon_url === 'string') this.guard.assertCallable(dto.horizon_url, 'horizon_url', 'rpc');
    const network = this.rowOf(toNewNetwork(dto.network_type, dto.name, dto), new Date());
    try {
      return await this.unitOfWork.run(async () => {
        await this.access.recheck('networks:write');
        const created = await this.networks.insert(network);
        await this.audit.record(networkCreated(created));
        return created;
      });
    } catch (error) {
      throw isUniqueViolation(error) ? networkExists() : error;
    }
  }

  /** Stores networks; fails if an id is taken. */
  async create(networks: NewNetwork[]): Promise<void> {
    const createdAt = new Date();
    if (networks.length === 0) return;
    const rows = networks.map((network) => this.rowOf(network, createdAt));
    await this.unitOfWork.run(async () => {
      const created = await this.networks.insertAll(rows);
      await this.audit.recordAll(created.map(networkCreated));
    });
  }

  /** Completes a network of which only the name was known. An API key that had created it may no longer change it. */
  async complete(network: NewNetwork): Promise<void> {
    const { id, ...columns } = { ...this.columnsOf(network), createdBy: null };
    await this.unitOfWork.run(async () => {
      const stored = await this.networks.findToChange(id);
      if (!stored) return;
      await this.audit.record(networkUpdated(stored, await this.networks.update(stored, columns)));
    });
  }

  /**
   * Changes the given fields. @throws DomainError `network_not_found`, `forbidden`, `invalid_request`, `row_altered`
   */
  async update(id: string, dto: UpdateNetworkDto): Promise<NetworkEntity> {
    const changes = {
      ...(dto.rpc_urls && { rpcUrls: this.seal(NETWORK_RPC_URLS, id, withWeights(dto.rpc_urls)) }),
      ...(dto.private_rpc_urls !== undefined && {
        privateRpcUrls: this.seal(NETWORK_PRIVATE_RPC_URLS, id, withWeights(dto.private_rpc_urls ?? [])),
      }),
      ...(dto.private_fallback_blocks !== undefined && {
        privateFallbackBlocks: dto.private_fallback_blocks,
      }),
      ...(dto.fees !== undefined && { fees: toStoredFees(dto.fees) }),
      ...(dto.rpc_methods !== undefined && { rpcMethods: dto.rpc_methods }),
    };
    if (Object.keys(changes).length === 0)
      throw invalidRequest(
        'rpc_urls, private_rpc_urls, private_fallback_blocks, fees or rpc_methods must be given',
      );
    this.assertCallable(dto);
    const network = await this.unitOfWork.run(async () => {
      const stored = await this.networks.findToChange(id);
      await this.access.recheck('networks:write');
      if (stored?.id !== id) throw networkNotFound(id);
      this.assertCreated(id, stored);
      await this.assertReachesRelayersOn(id);
      assertFieldsOwnedBy(stored.networkType, dto);
      const after = await this.networks.update(stored, changes);
      await this.audit.record(networkUpdated(stored, after));
      return after;
    });
    if (dto.rpc_urls) {
      this.rpcMetrics.forget(id);
      this.endpointsChanged.next(network);
    }
    return network;
  }

  /**
   * A network without relayers will have some, whose nodes, fees and methods are those of the network. So a request that
   * is limited to some relayers may only change what its key has created.
   *
   * @param network undefined if the row was altered
   * @throws DomainError `forbidden`
   */
  private assertCreated(id: string, network: NetworkEntity | undefined): void {
    if (!currentReach()) return;
    const isOwn = typeof network?.createdBy === 'string' && network.createdBy === currentPrincipal()?.id;
    if (!isOwn) throw forbidden(`this API key has not created network '${id}'`);
  }

  /** Must be called while the network is locked, so that no relayer is added. @throws DomainError `forbidden` */
  private async assertReachesRelayersOn(id: string): Promise<void> {
    if (!currentReach()) return;
    if (!(await everyDependent(this.unitOfWork.manager, nameOf(id), isReachable)))
      throw outOfReach(`every relayer on network '${id}'`);
  }

  /** @throws DomainError `network_not_found`, `network_in_use`, `forbidden` */
  async delete(id: string): Promise<void> {
    // MySQL ignores trailing spaces.
    if (id.endsWith(' ')) throw networkNotFound(id);
    try {
      if (!(await this.unitOfWork.run(() => this.deleteRow(id)))) throw networkNotFound(id);
    } catch (error) {
      if (!isStillReferenced(error)) throw error;
      throw networkInUse(id, await describeDependents(this.unitOfWork.manager, nameOf(id), isReachable));
    }
    this.rpcMetrics.forget(id);
  }

  private async deleteRow(id: string): Promise<boolean> {
    const { intact, altered } = await this.networks.findIntact({ where: { id }, lock: 'wait' });
    await this.access.recheck('networks:write');
    if (intact.length + altered.length > 0) this.assertCreated(id, intact[0]);
    const isDeleted = await this.networks.delete(id);
    if (isDeleted) await this.audit.record(networkDeleted(id, intact[0]));
    return isDeleted;
  }

  /** The RPC endpoints; empty if the network is for signing only. */
  rpcUrlsOf({ id, rpcUrls }: NetworkEntity): RpcUrl[] {
    return this.open(NETWORK_RPC_URLS, id, rpcUrls);
  }

  /** The endpoints that hide transactions until they are mined; empty if nothing can be sent privately. */
  privateRpcUrlsOf({ id, privateRpcUrls }: NetworkEntity): RpcUrl[] {
    return this.open(NETWORK_PRIVATE_RPC_URLS, id, privateRpcUrls);
  }

  /** All endpoints of a network. */
  urlsOf(network: NetworkEntity): NetworkUrls {
    return { rpcUrls: this.rpcUrlsOf(network), privateRpcUrls: this.privateRpcUrlsOf(network) };
  }

  private assertCallable({ rpc_urls, private_rpc_urls }: UpdateNetworkDto | CreateNetworkDto): void {
    assertCallableRpcUrls(this.guard, 'rpc_urls', rpc_urls ?? []);
    assertCallableRpcUrls(this.guard, 'private_rpc_urls', private_rpc_urls ?? []);
  }

  private rowOf(network: NewNetwork, createdAt: Date): Omit<NetworkEntity, 'mac'> {
    return { ...this.columnsOf(network), createdBy: currentPrincipal()?.id ?? null, createdAt };
  }

  private columnsOf({ rpcUrls, privateRpcUrls, ...columns }: NewNetwork) {
    return {
      ...columns,
      rpcUrls: this.seal(NETWORK_RPC_URLS, columns.id, rpcUrls),
      privateRpcUrls: this.seal(NETWORK_PRIVATE_RPC_URLS, columns.id, privateRpcUrls),
    };
  }

  private seal(column: SealedColumn, id: string, urls: RpcUrl[]): string | null {
    return urls.length === 0 ? null : sealRpcUrls(this.cipher, { ...column, row: id }, urls);
  }

  private open(column: SealedColumn, id: string, sealed: string | null): RpcUrl[] {
    return sealed === null ? [] : openRpcUrls(this.cipher, { ...column, row: id }, sealed);
  }
}
