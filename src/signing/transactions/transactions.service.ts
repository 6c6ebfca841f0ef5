import { Injectable } from '@nestjs/common';
import { invalidRequest } from '../../common/errors/domain-error';
import { networkHasNoChainId } from '../../networks/network.errors';
import { NetworksService } from '../../networks/networks.service';
import { RelayersService } from '../../relayers/relayers.service';
import { keccak256, keccak256Hex } from '../../signers/keccak256';
import type { DigestSignature } from '../../signers/signer-provider';
import { SignersService } from '../../signers/signers.service';
import { SignatureEvents } from '../signature-events';
import { requireEvm } from '../evm-only';
import { readSerialized, serializeSigned, serializeUnsigned } from './serialized-transaction';
import { requireAllowed } from './transaction-policy';
import { MAX_TRANSACTION_BYTES, readTransaction, type UnsignedTransaction } from './unsigned-transaction';

export interface SignedTransaction {
  /** What a node takes. */
  serialized: Buffer;
  /** keccak256 of it: `0x` and 64 hex digits. */
  hash: string;
  signature: DigestSignature;
}

/** Transactions that relayers sign. Nothing is sent. */
@Injectable()
export class TransactionsService {
  constructor(
    private readonly relayers: RelayersService,
    private readonly networks: NetworksService,
    private readonly signers: SignersService,
    private readonly events: SignatureEvents,
  ) {}

  /**
   * Signs a transaction, given as JSON or serialized, for the network of the relayer and within its policies.
   *
   * @throws DomainError `relayer_not_found`, `relayer_paused`, `relayer_disabled`, `invalid_request`,
   * `transaction_not_allowed`
   */
  async sign(relayerId: string, given: object | string): Promise<SignedTransaction> {
    const relayer = await this.relayers.requireActive(relayerId);
    requireEvm(relayer, 'transactions');
    const transaction = typeof given === 'string' ? readSerialized(given) : readTransaction(given);
    await this.requireChain(transaction, relayer.network);
    requireAllowed(transaction, relayer.policies);
    const unsigned = serializeUnsigned(transaction);
    if (unsigned.length > MAX_TRANSACTION_BYTES)
      throw invalidRequest(`transaction must not exceed ${MAX_TRANSACTION_BYTES} bytes`);
    const digest = keccak256(unsigned);
    const signature = await this.signers.signDigest(relayer, digest);
    await this.events.record(relayer, [{ form: 'transaction', digest }]);
    const serialized = serializeSigned(transaction, signature);
    return { serialized, hash: keccak256Hex(serialized), signature };
  }

  private async requireChain({ members }: UnsignedTransaction, name: string): Promise<void> {
    const { chainId } = await this.networks.requireFor(name, 'evm');
    if (chainId === null) throw networkHasNoChainId(name);
    if (members.chain_id !== BigInt(chainId))
      throw invalidRequest(`transaction.chain_id must be ${chainId}, that of network ${name}`);
  }
}
