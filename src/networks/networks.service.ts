import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';
import { In } from 'typeorm';
import { invalidRequest } from '../common/errors/domain-error';
import type { NetworkType } from '../common/networks/network-type';
import type { Page } from '../common/pagination/page';
import type { PageQuery } from '../common/pagination/page-query';
import { SecretCipher } from '../common/secrets/secret-cipher';
import { isStillReferenced, isUniqueViolation } from '../database/driver-errors';
import { listPage } from '../database/list-page';
import { RowLookup } from '../database/row-lookup';
import { UnitOfWork } from '../database/unit-of-work';
import { OutboundGuard } from '../outbound/outbound-guard';
import type { CreateNetworkDto } from './dto/create-network.dto';
import { withWeights } from './dto/rpc-url.dto';
import type { UpdateNetworkDto } from './dto/update-network.dto';
import { NETWORK_RPC_URLS, NetworkEntity } from './network.entity';
import { networkExists, networkInUse, networkNotFound, networkNotFoundFor } from './network.errors';
import { describeDependents } from '../database/dependents';
import { networkId, type NewNetwork, requireFieldsOwnedBy, toNewNetwork } from './new-network';
import { RpcMetrics } from './rpc/rpc.metrics';
import { openRpcUrls, requireCallableRpcUrls, type RpcUrl, sealRpcUrls } from './rpc-urls';

/** The networks that relayers are on. */
@Injectable()
export class NetworksService {
  private readonly lookup: RowLookup<NetworkEntity>;

  /** Networks whose RPC endpoints were changed by this instance. */
  readonly endpointsChanged = new Subject<Pick<NetworkEntity, 'networkType' | 'name'>>();

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly cipher: SecretCipher,
    private readonly guard: OutboundGuard,
    private readonly rpcMetrics: RpcMetrics,
  ) {
    this.lookup = new RowLookup(unitOfWork, NetworkEntity);
  }

  list(query: PageQuery): Promise<Page<NetworkEntity>> {
    return listPage(this.networks, query);
  }

  async find(id: string): Promise<NetworkEntity | null> {
    const network = await this.networks.findOneBy({ id });
    // MySQL takes no notice of spaces at the end.
    return network?.id === id ? network : null;
  }

  findMany(ids: string[]): Promise<NetworkEntity[]> {
    return this.networks.findBy({ id: In(ids) });
  }

  /** @throws DomainError `network_not_found` */
  async require(id: string): Promise<NetworkEntity> {
    const network = await this.find(id);
    if (!network) throw networkNotFound(id);
    return network;
  }

  /** The network that a relayer names. @throws DomainError `invalid_request` */
  async requireFor(name: string, networkType: NetworkType): Promise<Readonly<NetworkEntity>> {
    const network = await this.lookup.find(networkId(networkType, name));
    if (!network) throw networkNotFoundFor(name, networkType);
    return network;
  }

  /** Holds the network that a relayer names as it is until the end of the unit of work; null where there is none. */
  hold(name: string, networkType: NetworkType): Promise<NetworkEntity | null> {
    return this.networks.findOne({
      where: { networkType, name },
      // MariaDB has no FOR SHARE.
      ...(this.unitOfWork.locksRows && { lock: { mode: 'pessimistic_write' } }),
    });
  }

  /** @throws DomainError `invalid_request`, `network_exists` */
  async createNew(dto: CreateNetworkDto): Promise<NetworkEntity> {
    requireCallableRpcUrls(this.guard, 'rpc_urls', dto.rpc_urls ?? []);
    if (typeof dto.horizon_url === 'string')
      this.guard.requireCallable(dto.horizon_url, 'horizon_url', 'rpc');
    const network = this.rowOf(toNewNetwork(dto.network_type, dto.name, dto), new Date());
    try {
      await this.unitOfWork.run(() => this.networks.insert(network));
    } catch (error) {
      throw isUniqueViolation(error) ? networkExists() : error;
    }
    return network;
  }

  /** Stores networks; fails on an id that is taken. */
  async create(networks: NewNetwork[]): Promise<void> {
    const createdAt = new Date();
    if (networks.length === 0) return;
    const rows = networks.map((network) => this.rowOf(network, createdAt));
    await this.unitOfWork.run(() => this.networks.insert(rows));
  }

  /** Fills in a network of which only the name was known. */
  async complete(network: NewNetwork): Promise<void> {
    const columns = this.columnsOf(network);
    await this.unitOfWork.run(() => this.networks.update({ id: network.id }, columns));
  }

  /** Changes what is given, in one statement. @throws DomainError `network_not_found`, `invalid_request` */
  async update(id: string, dto: UpdateNetworkDto): Promise<NetworkEntity> {
    const changes = {
      ...(dto.rpc_urls && { rpcUrls: this.seal(id, withWeights(dto.rpc_urls)) }),
      ...(dto.rpc_methods !== undefined && { rpcMethods: dto.rpc_methods }),
    };
    if (Object.keys(changes).length === 0) throw invalidRequest('rpc_urls or rpc_methods must be given');
    requireCallableRpcUrls(this.guard, 'rpc_urls', dto.rpc_urls ?? []);
    const network = await this.require(id);
    requireFieldsOwnedBy(network.networkType, { rpc_methods: dto.rpc_methods });
    const { affected } = await this.unitOfWork.run(() => this.networks.update({ id }, changes));
    if (affected === 0) throw networkNotFound(id);
    if (dto.rpc_urls) {
      this.rpcMetrics.forget(id);
      this.endpointsChanged.next(network);
    }
    return Object.assign(network, changes);
  }

  /** @throws DomainError `network_not_found`, `network_in_use` */
  async delete(id: string): Promise<void> {
    const network = await this.require(id);
    try {
      const { affected } = await this.unitOfWork.run(() => this.networks.delete({ id }));
      if (affected === 0) throw networkNotFound(id);
    } catch (error) {
      if (!isStillReferenced(error)) throw error;
      throw networkInUse(
        id,
        await describeDependents(this.unitOfWork.manager, {
          network_type: network.networkType,
          network: network.name,
        }),
      );
    }
    this.rpcMetrics.forget(id);
  }

  /** The RPC endpoints; none where the network is for signing only. */
  rpcUrlsOf({ id, rpcUrls }: NetworkEntity): RpcUrl[] {
    return rpcUrls === null ? [] : openRpcUrls(this.cipher, { ...NETWORK_RPC_URLS, row: id }, rpcUrls);
  }

  private get networks() {
    return this.unitOfWork.repository(NetworkEntity);
  }

  private rowOf(network: NewNetwork, createdAt: Date): NetworkEntity {
    return this.networks.create({ ...this.columnsOf(network), createdAt });
  }

  private columnsOf({ rpcUrls, ...columns }: NewNetwork) {
    return { ...columns, rpcUrls: rpcUrls.length === 0 ? null : this.seal(columns.id, rpcUrls) };
  }

  private seal(id: string, urls: RpcUrl[]): string {
    return sealRpcUrls(this.cipher, { ...NETWORK_RPC_URLS, row: id }, urls);
  }
}
