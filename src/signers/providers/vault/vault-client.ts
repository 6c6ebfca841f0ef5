import { Secret } from '../../../common/secrets/secret';
import { SignerFailure, signerFailure } from '../../signer-failure';
import { failureOfStatus } from '../remote/failure-of-status';
import type { AppRole, VaultSettings } from './vault-settings';

const MAX_ANSWER_BYTES = 64 * 1024;

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
    if (typeof token !== 'string' || token === '') {
      throw invalidAnswer('Vault answered the login without auth.client_token');
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
      text = await boundedText(response);
    } catch (error) {
      throw transportFailure(error);
    }
    if (!response.ok) {
      throw failureOfStatus(response.status, new Error(`Vault answered ${response.status} to ${path}`));
    }
    try {
      return JSON.parse(text) as unknown;
    } catch {
      // Not as the cause: the parser quotes the text, which may hold the key.
      throw invalidAnswer(`Vault answered something else than JSON to ${path}`);
    }
  }
}

async function boundedText(response: Response): Promise<string> {
  if (!response.body) return '';
  const chunks: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > MAX_ANSWER_BYTES) throw invalidAnswer(`Vault answered more than ${MAX_ANSWER_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What `fetch` throws says little; its cause is the error of the connection, or of the protocol. */
function transportFailure(error: unknown): SignerFailure {
  if (error instanceof SignerFailure) return error;
  if (member(error, 'name') === 'AbortError') return signerFailure('timeout', error);
  const cause = member(error, 'cause') ?? error;
  const code = member(cause, 'code');
  const connection = typeof code === 'string' && !code.startsWith('HPE_');
  return signerFailure(connection ? 'unreachable' : 'invalid_answer', cause);
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

const invalidAnswer = (text: string): SignerFailure => signerFailure('invalid_answer', new Error(text));
