import { Secret } from '../../../common/secrets/secret';
import { type SignerFailure, signerFailure } from '../../signer-failure';
import { readBounded } from '../remote/bounded-body';
import { reasonOfConnection, reasonOfStatus } from '../remote/failure-reason';
import type { AppRole, VaultSettings } from './vault-settings';

/** What fits into a header: an error about one that does not would quote it. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

/**
 * The two requests of Vault's HTTP API that reading a key takes. HashiCorp offers no SDK for Node.
 *
 * Every failure is a SignerFailure; its cause names the request and the status, never what was sent or answered.
 */
export class VaultClient {
  constructor(private readonly settings: Pick<VaultSettings, 'address' | 'namespace'>) {}

  /**
   * Logs in with an AppRole (POST auth/approle/login).
   *
   * @returns a client token
   */
  async login({ roleId, secretId }: AppRole, signal: AbortSignal): Promise<Secret> {
    const answer = await this.request('auth/approle/login', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ role_id: roleId.reveal(), secret_id: secretId.reveal() }),
      signal,
    });
    const token = member(member(answer, 'auth'), 'client_token');
    if (typeof token !== 'string' || !TOKEN.test(token)) {
      throw invalidAnswer('Vault answered the login without a token in auth.client_token');
    }
    return new Secret(token);
  }

  /**
   * Reads the newest version of a secret of a KV version 2 engine (GET {mount}/data/{name}).
   *
   * @returns the secret's own fields
   */
  async readSecret(mount: string, name: string, token: Secret, signal: AbortSignal): Promise<unknown> {
    const answer = await this.request(`${encodePath(mount)}/data/${encodePath(name)}`, {
      headers: { 'X-Vault-Token': token.reveal() },
      signal,
    });
    return member(member(answer, 'data'), 'data');
  }

  private async request(
    path: string,
    init: Omit<RequestInit, 'headers'> & { headers: Record<string, string> },
  ): Promise<unknown> {
    const { address, namespace } = this.settings;
    const headers = {
      ...init.headers,
      // Agents and proxies of Vault may insist on it, as a guard against forged requests.
      'X-Vault-Request': 'true',
      ...(namespace !== undefined && { 'X-Vault-Namespace': namespace }),
    };
    let response: Response;
    let text: string;
    try {
      // A redirect would carry the credentials to wherever the answer points.
      response = await fetch(`${address}/v1/${path}`, { ...init, headers, redirect: 'error' });
      text = response.body ? Buffer.from(await readBounded(response.body)).toString('utf8') : '';
    } catch (error) {
      throw transportFailure(error);
    }
    if (!response.ok) {
      throw signerFailure(
        reasonOfStatus(response.status) ?? 'invalid_answer',
        new Error(`Vault answered ${response.status} to ${path}`),
      );
    }
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Not as the cause: the parser quotes the text, which may hold the key.
      throw invalidAnswer(`Vault answered something else than JSON to ${path}`);
    }
  }
}

/** What `fetch` throws says little; its cause is the error of the connection, or of the protocol. */
function transportFailure(error: unknown): SignerFailure {
  return signerFailure(reasonOfConnection(error) ?? 'invalid_answer', member(error, 'cause') ?? error);
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const invalidAnswer = (text: string): SignerFailure => signerFailure('invalid_answer', new Error(text));
