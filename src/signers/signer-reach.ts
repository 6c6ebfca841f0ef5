import { Injectable } from '@nestjs/common';
import type { FindOptionsWhere } from 'typeorm';
import { currentReach, isReachable, outOfReach } from '../access/relayer-reach';
import { everyDependent, relayersWith } from '../database/references';
import { UnitOfWork } from '../database/unit-of-work';
import { FormerAccountEntity } from './former-account.entity';

/** A signer, and the address of its key. */
interface UsedSigner {
  signerId: string;
  address: string;
  /** The relayer that uses it, which the request reaches; undefined for none. */
  id?: string;
}

/**
 * Whether a request may use or delete a signer. It must reach all relayers that the key signs for: those of the signer,
 * those of other signers with the same key, and deleted ones, because the coins on an account outlive its relayer.
 */
@Injectable()
export class SignerReach {
  constructor(private readonly unitOfWork: UnitOfWork) {}

  /**
   * A signer signs for all its relayers with the same key, so a request may add a relayer only if it can reach the
   * others. Must be called while the signer is locked.
   *
   * @throws DomainError `forbidden`
   */
  async assertReachesAllOf(signerId: string): Promise<void> {
    if (!currentReach()) return;
    if (!(await everyDependent(this.unitOfWork.manager, { signer_id: signerId }, isReachable)))
      throw outOfReach(`every relayer that signer '${signerId}' serves`);
  }

  /**
   * Several signers may hold the same key, and the unique index only covers one chain. A new relayer must be checked in
   * the unit of work that created it.
   *
   * @throws DomainError `forbidden` if another relayer with the same address is out of reach
   */
  async assertReachesOthersAt({ id, address }: Omit<UsedSigner, 'signerId'>): Promise<void> {
    if (!currentReach()) return;
    const all = await relayersWith(this.unitOfWork.manager, { address });
    if (!all.every((relayer) => relayer.id === id || isReachable(relayer)))
      throw outOfReach(`every relayer with the address ${address}`);
  }

  /**
   * Asserts that the request could reach the last relayer of the same signer, or with the same address, on each network.
   * Existing relayers must be checked first: then a relayer that is deleted meanwhile is found either there or here.
   *
   * @throws DomainError `forbidden`
   */
  async assertReachesFormer({ id, signerId, address }: UsedSigner): Promise<void> {
    if (!currentReach()) return;
    // Two statements, so that each uses its index.
    if (!(await this.reachesAll(id, { signerId })))
      throw outOfReach(`every earlier relayer that signer '${signerId}' served`);
    if (!(await this.reachesAll(id, { address })))
      throw outOfReach(`every earlier relayer with the address ${address}`);
  }

  /** Whether a relayer has, or had, the signer or its address. Those out of reach must be excluded first. */
  async hasAny({ signerId, address }: Omit<UsedSigner, 'id'>): Promise<boolean> {
    const { manager } = this.unitOfWork;
    const former = this.unitOfWork.repository(FormerAccountEntity);
    return (
      (await former.existsBy({ signerId })) ||
      (await former.existsBy({ address })) ||
      (await relayersWith(manager, { address })).length > 0
    );
  }

  private async reachesAll(
    id: string | undefined,
    where: FindOptionsWhere<FormerAccountEntity>,
  ): Promise<boolean> {
    for (const account of await this.unitOfWork.repository(FormerAccountEntity).findBy(where)) {
      const { relayerId, group } = account;
      if (!isReachable({ id: relayerId, group }) && !(await this.reachesSuccessor(id, account))) return false;
    }
    return true;
  }

  /** Whether an account has a new relayer since, other than the one with this id, and the request reaches it. */
  private async reachesSuccessor(
    id: string | undefined,
    { address, networkType, network }: FormerAccountEntity,
  ): Promise<boolean> {
    const account = { address, network_type: networkType, network };
    const successors = await relayersWith(this.unitOfWork.manager, account);
    const successor = successors.find((relayer) => relayer.id !== id);
    return successor !== undefined && isReachable(successor);
  }
}
