/** Relayers that send transactions, and requests for these, over HTTP: to the service in this process or in others. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Anvil } from './anvil';
import type { Call, HttpResponse } from './http';

const ENOUGH_WEI = 10n ** 21n;
const PAUSE_MS = 100;
const FINAL = ['confirmed', 'failed', 'canceled', 'expired'];

/** A service that is called with its API key: a `TestApplication`, or an instance of a fleet. */
export interface Client {
  call: (call: Call) => Promise<HttpResponse>;
  /** Called with each private key that is created. */
  keepSecret?: (secret: string) => string;
}

export interface SendingRelayer {
  id: string;
  /** `/api/v1/relayers/{id}` */
  path: string;
  address: string;
  network: string;
  /** The private key, for use outside of the service. */
  key: string;
}

/** A chain that provides coins, and the URLs through which the service reaches it. */
interface FundedChain {
  node: Pick<Anvil, 'chainId' | 'setBalance'>;
  urls: readonly string[];
}

export interface WantedRelayer {
  /** Whether the proxies are the relayer's own endpoints, and its network has none. */
  customUrls?: boolean;
  /** Additional members of the network's body. */
  network?: object;
  /** The name of a network that exists; by default, a new one is added. */
  existingNetwork?: string;
  /** Additional members of the relayer's body. */
  relayer?: object;
  policies?: object;
  /** The balance of the account. Default 10^21 wei. */
  balance?: bigint;
}

/** The fields of a transaction that tests examine; there are more. */
export interface ShownTransaction {
  id: string;
  status: string;
  status_reason: string | null;
  nonce: number | null;
  hash: string | null;
  hashes: string[];
  sent_at: string | null;
  is_canceled: boolean;
  to: string | null;
  value: string;
  data: string | null;
  gas_limit: number | null;
  max_fee_per_gas: string | null;
  max_priority_fee_per_gas: string | null;
  revert_reason: string | null;
  revert_data: string | null;
}

/**
 * Creates a network whose endpoints are the proxies of a chain, a signer, and a relayer for them, and funds its
 * account.
 */
export async function addSendingRelayer(
  client: Client,
  chain: FundedChain,
  {
    customUrls = false,
    network,
    existingNetwork,
    relayer,
    policies,
    balance = ENOUGH_WEI,
  }: WantedRelayer = {},
): Promise<SendingRelayer> {
  const name = `chain-${randomBytes(4).toString('hex')}`;
  const key = randomBytes(32).toString('hex');
  client.keepSecret?.(key);
  const endpoints = chain.urls.map((url) => ({ url, weight: 100 }));
  if (existingNetwork === undefined)
    await create(client, 'networks', {
      ...{ name, network_type: 'evm', chain_id: chain.node.chainId, features: ['eip1559'] },
      ...{ required_confirmations: 1, average_blocktime_ms: 1000, is_testnet: true },
      ...(customUrls ? {} : { rpc_urls: endpoints }),
      ...network,
    });
  await create(client, 'signers', { id: name, type: 'plain', config: { key } });
  const { id, address } = await create(client, 'relayers', {
    ...{ id: name, name, network: existingNetwork ?? name, network_type: 'evm' },
    ...{ signer_id: name, paused: false },
    ...(customUrls && { custom_rpc_urls: endpoints }),
    ...(policies && { policies }),
    ...relayer,
  });
  await chain.node.setBalance(address, balance);
  return { id, path: `/api/v1/relayers/${id}`, address, network: existingNetwork ?? name, key };
}

/** Requests a transaction. Members that the body omits have the service's defaults. */
export function requestTransaction(
  client: Client,
  relayer: SendingRelayer,
  body: object,
  idempotencyKey?: string,
): Promise<HttpResponse> {
  return client.call({
    method: 'POST',
    path: `${relayer.path}/transactions`,
    headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
    body,
  });
}

/** @throws Error if the transaction is not shown */
export async function shownTransaction(
  client: Client,
  relayer: SendingRelayer,
  id: string,
): Promise<ShownTransaction> {
  return read<ShownTransaction>(client, `${relayer.path}/transactions/${id}`);
}

/** The next nonce of the relayer. */
export async function nextNonceOf(client: Client, relayer: SendingRelayer): Promise<number> {
  return Number((await read<{ nonce: number | string }>(client, `${relayer.path}/status`)).nonce);
}

/**
 * Waits until a transaction has a status; if none is given, any final one.
 *
 * @throws Error if it does not reach the status in time, or reaches a different final one
 */
export async function untilStatus(
  client: Client,
  relayer: SendingRelayer,
  id: string,
  status?: string,
  timeoutMs = 120_000,
): Promise<ShownTransaction> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const shown = await shownTransaction(client, relayer, id);
    if (shown.status === status || (status === undefined && isFinal(shown))) return shown;
    const isLate = Date.now() > end;
    if (isLate || isFinal(shown))
      throw new Error(`Transaction ${id} is ${isLate ? 'still ' : ''}${JSON.stringify(shown)}`);
    await sleep(PAUSE_MS);
  }
}

/** Whether no other status can follow. */
export const isFinal = ({ status }: ShownTransaction): boolean => FINAL.includes(status);

async function create(
  client: Client,
  resource: string,
  body: object,
): Promise<{ id: string; address: string }> {
  return contentOf(await client.call({ method: 'POST', path: `/api/v1/${resource}`, body }), resource);
}

async function read<T>(client: Client, path: string): Promise<T> {
  return contentOf(await client.call({ path }), path);
}

function contentOf({ body, status, text }: HttpResponse, what: string): HttpResponse['body'] {
  if (body?.success !== true) throw new Error(`${what}: ${status} ${text}`);
  return body.data;
}
