import { type Hex, serializeTransaction, type LocalAccount } from 'viem';
import { toAccount } from 'viem/accounts';
import type { Relayer } from './relayer.ts';
import type { TypedData } from './resources.ts';

/**
 * The account of a relayer for viem: it signs messages, typed data and transactions with the key that the service
 * holds. To send transactions, use {@link Relayer.sendTransaction}: if viem sends a transaction, its nonce is assigned
 * without the service.
 *
 * @throws RelayerClientError if the relayer cannot be read; TypeError if it is not on an EVM network
 */
export async function toRelayerAccount(relayer: Relayer): Promise<LocalAccount> {
  const { address, network_type: networkType } = await relayer.get();
  if (networkType !== 'evm')
    throw new TypeError(`Relayer ${relayer.id} is on a network of type ${networkType}`);
  return toAccount({
    address: address as Hex,
    signMessage: async ({ message }) => {
      if (typeof message === 'string') return toHex((await relayer.signMessage(message)).sig);
      const { raw } = message;
      const hex = typeof raw === 'string' ? raw : bytesToHex(raw);
      return toHex((await relayer.signMessage(hex, { encoding: 'hex' })).sig);
    },
    signTypedData: async ({ domain = {}, types, primaryType, message }) => {
      const body = { domain, types, primaryType, message } as TypedData;
      return toHex((await relayer.signTypedData(body)).sig);
    },
    signTransaction: async (transaction, { serializer = serializeTransaction } = {}) => {
      const unsigned = await serializer(transaction);
      return (await relayer.signTransaction(unsigned)).signed_transaction as Hex;
    },
  });
}

const toHex = (digits: string): Hex => `0x${digits}`;

const bytesToHex = (bytes: Uint8Array): Hex =>
  toHex(Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join(''));
