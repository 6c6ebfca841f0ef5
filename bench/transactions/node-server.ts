/** A node's JSON-RPC over HTTP, including batches, with a constant market. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

const GWEI = '0x3b9aca00';

interface Call {
  id: number;
  method: string;
  params: unknown[];
}

/** The error with which a node refuses a call. */
export class NodeError extends Error {
  constructor(
    message: string,
    readonly code = -32000,
  ) {
    super(message);
  }
}

export abstract class NodeServer {
  private readonly server: Server = createServer();

  constructor(readonly chainId: number) {
    this.server.on('request', (request, response) => {
      const pieces: Buffer[] = [];
      request.on('data', (piece: Buffer) => pieces.push(piece));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(pieces).toString()) as Call | Call[];
        this.observe?.([body].flat().map(({ method }) => method));
        const replies = Array.isArray(body) ? body.map((call) => this.reply(call)) : this.reply(body);
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(replies));
      });
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  /** The number of the newest block. */
  protected abstract get head(): number;

  /** The number of an account's transactions that are in blocks. */
  protected abstract nonceOf(address: string): number;

  /** @returns the hash @throws NodeError */
  protected abstract send(raw: string): string;

  protected receiptOf(_hash: string): object | null {
    return null;
  }

  /** Called when a request has arrived: one call, or a batch. */
  protected observe?(methods: string[]): void;

  private reply({ id, method, params }: Call): object {
    try {
      return { jsonrpc: '2.0', id, result: this.resultOf(method, params) };
    } catch (error) {
      if (!(error instanceof NodeError)) throw error;
      return { jsonrpc: '2.0', id, error: { code: error.code, message: error.message } };
    }
  }

  private resultOf(method: string, [first]: unknown[]): unknown {
    switch (method) {
      case 'eth_chainId':
        return hex(this.chainId);
      case 'eth_blockNumber':
        return hex(this.head);
      case 'eth_getTransactionCount':
        return hex(this.nonceOf(first as string));
      case 'eth_getBalance':
        return '0xffffffffffffffffffff';
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return GWEI;
      case 'eth_getCode':
        return '0x';
      case 'eth_sendRawTransaction':
        return this.send(first as string);
      case 'eth_getTransactionReceipt':
        return this.receiptOf(first as string);
      case 'eth_feeHistory':
        return {
          oldestBlock: hex(this.head),
          baseFeePerGas: Array(9).fill(GWEI),
          gasUsedRatio: Array(8).fill(0.5),
          reward: Array(8).fill(['0x1', '0x2', '0x3', '0x4']),
        };
      case 'eth_getBlockByNumber':
        return {
          ...{ number: hex(this.head), hash: blockHash(this.head), parentHash: blockHash(this.head - 1) },
          ...{ baseFeePerGas: GWEI, gasLimit: '0x1c9c380', gasUsed: '0x0', transactions: [] },
          timestamp: hex(Math.floor(Date.now() / 1000)),
        };
      default:
        return null;
    }
  }
}

export const hex = (number: number): string => `0x${number.toString(16)}`;

export const blockHash = (number: number): string => `0x${number.toString(16).padStart(64, 'b')}`;
