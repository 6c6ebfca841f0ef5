/** A node on which nothing is ever mined although blocks come: whatever is sent waits. It counts what it is asked. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { keccak256 } from 'ethers';

const HASH = `0x${'ab'.repeat(32)}`;

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

export class IdleNode {
  readonly calls = new Map<string, number>();
  requests = 0;

  private constructor(
    private readonly server: Server,
    readonly chainId: number,
    private readonly blockMs: number,
  ) {}

  static async start(chainId: number, blockMs: number): Promise<IdleNode> {
    const server = createServer();
    const node = new IdleNode(server, chainId, blockMs);
    server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        node.requests += 1;
        const body = JSON.parse(Buffer.concat(pieces).toString()) as Call | Call[];
        const replies = Array.isArray(body) ? body.map((call) => node.reply(call)) : node.reply(body);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(replies));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return node;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  clear(): void {
    this.calls.clear();
    this.requests = 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private reply({ id, method, params }: Call): object {
    this.calls.set(method, (this.calls.get(method) ?? 0) + 1);
    return { jsonrpc: '2.0', id, result: this.resultOf(method, params) };
  }

  private resultOf(method: string, [first]: unknown[]): unknown {
    const number = `0x${Math.floor(Date.now() / this.blockMs).toString(16)}`;
    switch (method) {
      case 'eth_chainId':
        return `0x${this.chainId.toString(16)}`;
      case 'eth_blockNumber':
        return number;
      case 'eth_getTransactionCount':
        return '0x0';
      case 'eth_getBalance':
        return '0xffffffffffffffffffff';
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return '0x3b9aca00';
      case 'eth_getCode':
        return '0x';
      case 'eth_sendRawTransaction':
        return keccak256(first as string);
      case 'eth_feeHistory':
        return {
          oldestBlock: number,
          baseFeePerGas: Array(9).fill('0x3b9aca00'),
          gasUsedRatio: Array(8).fill(0.5),
          reward: Array(8).fill(['0x1', '0x2', '0x3', '0x4']),
        };
      case 'eth_getBlockByNumber':
        return {
          ...{ number, hash: HASH, parentHash: HASH, baseFeePerGas: '0x3b9aca00', gasLimit: '0x1c9c380' },
          ...{
            gasUsed: '0x0',
            timestamp: `0x${Math.floor(Date.now() / 1000).toString(16)}`,
            transactions: [],
          },
        };
      default:
        return null;
    }
  }
}
