import { SigningKey } from 'ethers';
import type { TransactionType } from '../../src/chains/evm/transaction/unsigned-transaction';
import type { SeededRandom } from './seeded-random';

/** A transaction in the forms of this service, ethers and viem. */
export interface RandomTransaction {
  ours: Record<string, unknown>;
  ethers: Record<string, unknown>;
  viem: Record<string, unknown>;
}

const VIEM_TYPES = { 0: 'legacy', 1: 'eip2930', 2: 'eip1559', 4: 'eip7702' } as const;

/** Nonces stay below 2^53, which is the limit of ethers and viem. */
export function randomTransaction(random: SeededRandom, type: TransactionType): RandomTransaction {
  const nonce = Number(random.bigint(53));
  const [gasLimit, value, chainId] = [random.bigint(64), random.bigint(256), random.bigint(52) + 1n];
  const to = type !== 4 && random.below(5) === 0 ? null : random.hex(20);
  const data = random.hex(random.below(3) * random.below(100));
  const transaction: RandomTransaction = {
    ours: {
      type,
      chain_id: chainId.toString(),
      nonce,
      gas_limit: hex(gasLimit),
      to,
      value: hex(value),
      data,
    },
    ethers: { type, chainId, nonce, gasLimit, to, value, data },
    viem: { type: VIEM_TYPES[type], chainId: Number(chainId), nonce, gas: gasLimit, to, value, data },
  };
  if (type === 0 || type === 1) addGasPrice(transaction, random);
  else addFees(transaction, random);
  if (type !== 0) addAccessList(transaction, random);
  if (type === 4) addAuthorizations(transaction, random, chainId);
  return transaction;
}

function addGasPrice({ ours, ethers, viem }: RandomTransaction, random: SeededRandom): void {
  const gasPrice = random.bigint(256);
  ours.gas_price = gasPrice.toString();
  ethers.gasPrice = gasPrice;
  viem.gasPrice = gasPrice;
}

function addFees({ ours, ethers, viem }: RandomTransaction, random: SeededRandom): void {
  const fees = { maxFeePerGas: random.bigint(256), maxPriorityFeePerGas: 0n };
  fees.maxPriorityFeePerGas = random.bigint(256) % (fees.maxFeePerGas + 1n);
  ours.max_fee_per_gas = fees.maxFeePerGas.toString();
  ours.max_priority_fee_per_gas = hex(fees.maxPriorityFeePerGas);
  Object.assign(ethers, fees);
  Object.assign(viem, fees);
}

function addAccessList({ ours, ethers, viem }: RandomTransaction, random: SeededRandom): void {
  const accessList = random.list(4, () => ({
    address: random.hex(20),
    storageKeys: random.list(4, () => random.hex(32)),
  }));
  ours.access_list = accessList.map(({ address, storageKeys }) => ({ address, storage_keys: storageKeys }));
  ethers.accessList = accessList;
  viem.accessList = accessList;
}

function addAuthorizations(
  { ours, ethers, viem }: RandomTransaction,
  random: SeededRandom,
  ownChain: bigint,
): void {
  const authorizations = Array.from({ length: 1 + random.below(3) }, () => ({
    chainId: random.below(2) === 0 ? 0n : ownChain,
    address: random.hex(20),
    nonce: random.bigint(53),
    signature: new SigningKey(random.bytes(32)).sign(random.bytes(32)),
  }));
  ethers.authorizationList = authorizations;
  viem.authorizationList = authorizations.map(
    ({ chainId, address, nonce, signature: { r, s, yParity } }) => ({
      ...{ chainId: Number(chainId), address, nonce: Number(nonce), r, s, yParity },
    }),
  );
  ours.authorization_list = authorizations.map(
    ({ chainId, address, nonce, signature: { r, s, yParity } }) => ({
      ...{ chain_id: hex(chainId), address, nonce: nonce.toString(), y_parity: yParity, r, s },
    }),
  );
}

const hex = (value: bigint): string => `0x${value.toString(16)}`;
