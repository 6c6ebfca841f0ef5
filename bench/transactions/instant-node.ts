/**
 * A process with a node that mines each transaction immediately, in a block of its own. It verifies chain, signature
 * and nonce, keeps transactions that wait for lower nonces, and executes nothing. Anvil is not used, because it becomes
 * slower as its pool fills, and at a thousand transactions per second with one key it stops mining: its pool still
 * contains mined transactions, or treats ready ones as waiting. The process sends its URL to its parent.
 */
import secp256k1 from 'secp256k1';
import { decodeRlp, encodeRlp, type RlpItem } from '../../src/chains/evm/rlp';
import { keccak256 } from '../../src/chains/evm/keccak256';
import { useWasmKeccak } from '../../src/chains/evm/wasm-keccak';
import { blockHash, hex, NodeError, NodeServer } from './node-server';

const TYPE = 2;
/** The number of members before the signature in an EIP-1559 transaction. */
const SIGNED_MEMBERS = 9;

interface Account {
  nonce: number;
  /** Hashes by nonce. */
  waiting: Map<number, string>;
}

class InstantNode extends NodeServer {
  protected head = 1;
  private readonly accounts = new Map<string, Account>();
  /** Block numbers by transaction hash; undefined while a transaction is waiting. */
  private readonly blocks = new Map<string, number | undefined>();

  protected nonceOf(address: string): number {
    return this.accountOf(address.toLowerCase()).nonce;
  }

  protected send(raw: string): string {
    const bytes = Buffer.from(raw.slice(2), 'hex');
    const hash = toHex(keccak256(bytes));
    if (this.blocks.has(hash)) throw new NodeError('already known');
    const members = decodeRlp(bytes.subarray(1));
    if (bytes[0] !== TYPE || !members || Buffer.isBuffer(members)) throw new NodeError('invalid transaction');
    if (integer(members[0]) !== this.chainId) throw new NodeError('invalid chain id');
    const account = this.accountOf(senderOf(members));
    const nonce = integer(members[1]);
    if (nonce < account.nonce) throw new NodeError('nonce too low');
    if (account.waiting.has(nonce)) throw new NodeError('replacement transaction underpriced');
    this.blocks.set(hash, undefined);
    account.waiting.set(nonce, hash);
    this.mine(account);
    return hash;
  }

  protected override receiptOf(hash: string): object | null {
    const block = this.blocks.get(hash);
    if (block === undefined) return null;
    return {
      ...{ transactionHash: hash, blockNumber: hex(block), blockHash: blockHash(block) },
      ...{ status: '0x1', gasUsed: '0x5208', effectiveGasPrice: '0x3b9aca00' },
    };
  }

  private mine(account: Account): void {
    for (;;) {
      const next = account.waiting.get(account.nonce);
      if (next === undefined) return;
      account.waiting.delete(account.nonce);
      account.nonce += 1;
      this.head += 1;
      this.blocks.set(next, this.head);
    }
  }

  private accountOf(address: string): Account {
    const known = this.accounts.get(address) ?? { nonce: 0, waiting: new Map<number, string>() };
    this.accounts.set(address, known);
    return known;
  }
}

function senderOf(members: readonly RlpItem[]): string {
  const unsigned = Buffer.concat([Buffer.of(TYPE), encodeRlp(members.slice(0, SIGNED_MEMBERS))]);
  const [parity, r, s] = members.slice(SIGNED_MEMBERS);
  const signature = Buffer.concat([word(r), word(s)]);
  const key = secp256k1.ecdsaRecover(signature, integer(parity), keccak256(unsigned), false);
  return toHex(keccak256(key.subarray(1)).subarray(12));
}

const integer = (item: RlpItem | undefined): number => Number(`0x${bytesOf(item).toString('hex') || '0'}`);

const word = (item: RlpItem | undefined): Buffer =>
  Buffer.concat([Buffer.alloc(32 - bytesOf(item).length), bytesOf(item)]);

function bytesOf(item: RlpItem | undefined): Buffer {
  if (!Buffer.isBuffer(item)) throw new NodeError('invalid transaction');
  return item;
}

const toHex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

process.on('disconnect', () => process.exit());

async function main(): Promise<void> {
  await useWasmKeccak();
  const node = await new InstantNode(Number(process.env.CHAIN_ID)).listen();
  process.send?.(node.url);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
