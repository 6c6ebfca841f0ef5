import type { RpcPool } from '../../rpc/rpc-pool';
import { evmCall } from '../evm-call';
import { readResult } from '../node-read';
import { parseQuantity } from '../quantity';
export interface Head { number: number; hash: string; parentHash: string; timestamp: number; baseFee: bigint | null; gasLimit: bigint }
export interface Receipt { transactionHash: string; blockNumber: number; blockHash: string; succeeded: boolean; gasUsed: bigint; effectiveGasPrice: bigint | null; l1Fee: bigint | null }
const M = 2n ** 255n;
export const readHead = (pool: RpcPool): Promise<Head> =>
  readResult(pool, evmCall('eth_getBlockByNumber', ['latest', false]), (b: any) => ({ number: Number(b.number), hash: b.hash, parentHash: b.parentHash, timestamp: Number(b.timestamp), baseFee: b.baseFeePerGas ? BigInt(b.baseFeePerGas) : null, gasLimit: BigInt(b.gasLimit) }));
export async function readReceipts(pool: RpcPool, hashes: string[]): Promise<Map<string, Receipt>> {
  const m = new Map<string, Receipt>();
  await Promise.all(hashes.map(async (h) => {
    const r: any = await readResult(pool, evmCall('eth_getTransactionReceipt', [h]), (x) => x);
    if (r) m.set(h, { transactionHash: h, blockNumber: Number(r.blockNumber), blockHash: r.blockHash, succeeded: r.status === '0x1', gasUsed: BigInt(r.gasUsed), effectiveGasPrice: BigInt(r.effectiveGasPrice), l1Fee: null });
  }));
  return m;
}
export async function readNonces(pool: RpcPool, addresses: string[]): Promise<Map<string, bigint>> {
  const m = new Map<string, bigint>();
  await Promise.all(addresses.map(async (a) => { m.set(a, await readResult(pool, evmCall('eth_getTransactionCount', [a, 'latest']), (x) => parseQuantity(x, M))); }));
  return m;
}
export const isKnown = (pool: RpcPool, hash: string): Promise<boolean> => readResult(pool, evmCall('eth_getTransactionByHash', [hash]), (x) => x !== null);
export const hasCode = (pool: RpcPool, a: string): Promise<boolean> => readResult(pool, evmCall('eth_getCode', [a, 'latest']), (x) => x !== '0x');
export async function findMined(pool: RpcPool, address: string, nonce: number, from: number, head: number): Promise<{ hash: string; blockNumber: number } | null> {
  const at = (n: number) => readResult(pool, evmCall('eth_getTransactionCount', [address, `0x${n.toString(16)}`]), (x) => Number(parseQuantity(x, M)));
  let lo = from; let hi = head;
  if ((await at(hi)) <= nonce) return null;
  while (lo < hi) { const mid = (lo + hi) >> 1; if ((await at(mid)) > nonce) hi = mid; else lo = mid + 1; }
  const b: any = await readResult(pool, evmCall('eth_getBlockByNumber', [`0x${lo.toString(16)}`, false]), (x) => x);
  for (const h of b.transactions as string[]) { const t: any = await readResult(pool, evmCall('eth_getTransactionByHash', [h]), (x) => x); if (t.from.toLowerCase() === address.toLowerCase() && Number(t.nonce) === nonce) return { hash: h, blockNumber: lo }; }
  return null;
}
