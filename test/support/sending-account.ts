import { Transaction, Wallet } from 'ethers';
import type { Anvil } from './anvil';
import { execute } from './contracts/calls';
import { executionsOf } from './contracts/deployment';
import type { RpcCall } from './faulty-proxy/fault';
import type { FaultyProxy } from './faulty-proxy/faulty-proxy';
import type { HttpResponse } from './http';
import { until } from './private-servers';
import type { TestChain } from './test-chain';
import {
  addSendingRelayer,
  type Client,
  nextNonceOf,
  requestTransaction,
  type SendingRelayer,
  type ShownTransaction,
  shownTransaction,
  untilStatus,
  type WantedRelayer,
} from './transactions';

export const RECEIVER = '0x3535353535353535353535353535353535353535';
/** More than an execution uses: transactions with a gas limit of their own are not simulated. */
const GAS_LIMIT = 200_000;

/** Whether a call sends a transaction with this nonce. */
export const hasNonce =
  (nonce: number) =>
  ({ method, params: [raw] }: RpcCall): boolean =>
    method === 'eth_sendRawTransaction' && Transaction.from(raw as string).nonce === nonce;

/** A transaction that arrived at the proxy. */
export interface ArrivedTransaction {
  /** Milliseconds since 1970. */
  at: number;
  raw: string;
  hash: string;
  nonce: number;
  fault: string | undefined;
  outcome: string;
}

/** A relayer with its own proxy in front of the node, so that faults affect no other relayer. */
export class SendingAccount {
  private static executions = 0;

  private constructor(
    private readonly client: Client,
    readonly node: Anvil,
    readonly proxy: FaultyProxy,
    readonly relayer: SendingRelayer,
  ) {}

  static async add(
    client: Client,
    chain: TestChain,
    wanted: WantedRelayer = {},
    others: readonly string[] = [],
  ): Promise<SendingAccount> {
    const proxy = await chain.addProxy();
    const relayer = await addSendingRelayer(
      client,
      { node: chain.node, urls: [proxy.url, ...others] },
      wanted,
    );
    return new SendingAccount(client, chain.node, proxy, relayer);
  }

  /** The body of an execution by a `COUNTER`, with a unique number. */
  static execution(counter: string): { body: object; number: number } {
    const number = (SendingAccount.executions += 1);
    return {
      number,
      body: { to: counter, value: '0', data: execute(number), speed: 'fast', gas_limit: GAS_LIMIT },
    };
  }

  /** Requests a transaction: an empty transfer, unless the body specifies more. */
  request(body: object = {}, idempotencyKey?: string): Promise<HttpResponse> {
    const complete = { to: RECEIVER, value: '0', speed: 'fast', gas_limit: 21_000, ...body };
    return requestTransaction(this.client, this.relayer, complete, idempotencyKey);
  }

  /** Like {@link request}, but it must be accepted. */
  async send(body: object = {}, idempotencyKey?: string): Promise<ShownTransaction> {
    const { status, text, body: response } = await this.request(body, idempotencyKey);
    if (status !== 201) throw new Error(`The transaction was not accepted: ${status} ${text}`);
    return response.data as ShownTransaction;
  }

  /** Calls a route of the relayer. @param path the part after the relayer's own path */
  call(method: string, path: string, body?: object): Promise<HttpResponse> {
    return this.client.call({ method, path: this.relayer.path + path, ...(body && { body }) });
  }

  replace(id: string, body: object): Promise<HttpResponse> {
    return this.call('PUT', `/transactions/${id}`, { to: RECEIVER, value: '0', speed: 'fast', ...body });
  }

  cancel(id: string): Promise<HttpResponse> {
    return this.call('DELETE', `/transactions/${id}`);
  }

  shown(id: string): Promise<ShownTransaction> {
    return shownTransaction(this.client, this.relayer, id);
  }

  /** The changes that audit events of the relayer show, newest first. */
  async audited(action: string): Promise<(object | null)[]> {
    const path = `/api/v1/audit-events?action=${action}&relayer_id=${this.relayer.id}`;
    const { body } = await this.client.call({ path });
    return (body.data as { changes?: object }[]).map(({ changes }) => changes ?? null);
  }

  /** Waits until a condition is true. */
  until(what: string, is: () => boolean | Promise<boolean>): Promise<void> {
    return until(what, is);
  }

  /** Waits until a transaction satisfies a condition. */
  async untilShown(
    id: string,
    what: string,
    is: (transaction: ShownTransaction) => boolean | Promise<boolean>,
  ): Promise<ShownTransaction> {
    let shown = await this.shown(id);
    try {
      await until(what, async () => is((shown = await this.shown(id))));
    } catch {
      throw new Error(`Not ${what}: ${JSON.stringify(shown)}`);
    }
    return shown;
  }

  untilStatus(id: string, status: string): Promise<ShownTransaction> {
    return this.untilShown(id, status, (shown) => shown.status === status);
  }

  /** Waits until a transaction is final. */
  untilFinal(id: string, timeoutMs?: number): Promise<ShownTransaction> {
    return untilStatus(this.client, this.relayer, id, undefined, timeoutMs);
  }

  nextNonce(): Promise<number> {
    return nextNonceOf(this.client, this.relayer);
  }

  chainNonce(): Promise<number> {
    return this.node.nonce(this.relayer.address);
  }

  /** Sends a transaction with the account's key from outside of the service. @returns its hash */
  async sendElsewhere(): Promise<string> {
    const { address, key } = this.relayer;
    const raw = await new Wallet(key).signTransaction({
      ...{ type: 2, chainId: this.node.chainId, nonce: await this.node.nonce(address, 'pending') },
      ...{ to: RECEIVER, gasLimit: 21_000, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 2n * 10n ** 9n },
    });
    return this.node.rpc<string>('eth_sendRawTransaction', [raw]);
  }

  /** Waits until a transaction is in a block, and returns the number of the block. */
  async minedBlock(hash: string): Promise<number> {
    let receipt: { blockNumber: string } | null = null;
    await until('a receipt', async () => {
      receipt = await this.node.rpc<{ blockNumber: string } | null>('eth_getTransactionReceipt', [hash]);
      return receipt !== null;
    });
    return Number(receipt!.blockNumber);
  }

  /** The values of the account's transactions in all blocks, in order. */
  async minedValues(): Promise<number[]> {
    const values: number[] = [];
    const head = await this.node.blockNumber();
    for (let number = 0; number <= head; number += 1) {
      const { transactions } = await this.node.rpc<{ transactions: { from: string; value: string }[] }>(
        'eth_getBlockByNumber',
        [`0x${number.toString(16)}`, true],
      );
      const own = transactions.filter(({ from }) => from === this.relayer.address.toLowerCase());
      values.push(...own.map(({ value }) => Number(value)));
    }
    return values;
  }

  /** The transactions that the service has sent, oldest first. */
  get arrived(): ArrivedTransaction[] {
    return this.proxy.record.of('eth_sendRawTransaction').map(({ params, at, fault, outcome }) => {
      const raw = params[0] as string;
      const { hash, nonce } = Transaction.from(raw);
      return { at, raw, hash: hash!, nonce, fault, outcome };
    });
  }

  /** The distinct hashes of transactions that the service has sent with a nonce. */
  hashesSent(nonce: number): string[] {
    return [...new Set(this.arrived.filter((each) => each.nonce === nonce).map(({ hash }) => hash))];
  }

  /** How often a `COUNTER` has executed a number. */
  async timesExecuted(counter: string, number: number): Promise<number> {
    return (await executionsOf(this.node, counter)).filter(({ id }) => id === number).length;
  }
}
