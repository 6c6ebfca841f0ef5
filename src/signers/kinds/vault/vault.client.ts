import { Secret } from '../../../common/secrets/secret';
import type { OutboundHttp } from '../../../outbound/outbound-http';
import type { OutboundGetRequest } from '../../../outbound/outbound-message';
import { type SignerFailure, signerFailure } from '../../signer-failure';
import { reasonOfConnection, reasonOfStatus } from '../../key-services/failure-reason';
import { DEFAULT_CALL_LIMITS } from '../../key-services/remote-calls';
import { MAX_RESPONSE_BYTES } from '../../key-services/vendor-transport';
import { member, takeKey } from './vault.key';
import type { AppRole, VaultSettings } from './vault.config';

/** Valid header values: an error about an invalid one would quote it. */
const TOKEN = /^[\x21-\x7e]{1,4096}$/;

interface VaultRequest {
  headers: Readonly<Record<string, string>>;
  /** If present, the request is a POST. */
  body?: string;
  signal: AbortSignal;
}

/**
 * The two requests of Vault's HTTP API that are required to read a key. HashiCorp has no SDK for Node.
 *
 * Every failure is a SignerFailure; its cause names the request and the status, but never the content of a request or
 * response.
 */
export class VaultClient {
  constructor(
    private readonly settings: Pick<VaultSettings, 'address' | 'namespace'>,
    private readonly http: OutboundHttp,
  ) {}

  /**
   * Logs in with an AppRole (POST auth/approle/login).
   *
   * @returns a client token
   */
  async login({ roleId, secretId }: AppRole, signal: AbortSignal): Promise<Secret> {
    const response = await this.request('auth/approle/login', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ role_id: roleId.reveal(), secret_id: secretId.reveal() }),
      signal,
    });
    const token = member(member(parsed(response, 'auth/approle/login', takeJson), 'auth'), 'client_token');
    if (typeof token !== 'string' || !TOKEN.test(token)) {
      throw invalidResponse('The response of Vault to the login has no auth.client_token');
    }
    return new Secret(token);
  }

  /**
   * Reads the private key from the newest version of a secret in a KV version 2 engine (GET {mount}/data/{name}).
   *
   * @returns 64 hex digits
   */
  async readKey(mount: string, name: string, token: Secret, signal: AbortSignal): Promise<Secret> {
    const path = `${encodePath(mount)}/data/${encodePath(name)}`;
    const body = await this.request(path, { headers: { 'x-vault-token': token.reveal() }, signal });
    const key = parsed(body, path, takeKey);
    if (!key) throw invalidResponse('The field value of the secret in Vault is not 64 hex digits');
    return key;
  }

  /** @returns the body of a successful response */
  private async request(path: string, { headers, body, signal }: VaultRequest): Promise<Buffer> {
    const { address, namespace } = this.settings;
    const request: OutboundGetRequest = {
      url: `${address}/v1/${path}`,
      purpose: 'key-service',
      headers: {
        ...headers,
        // Vault agents and proxies may require it as a protection against forged requests.
        'x-vault-request': 'true',
        ...(namespace !== undefined && { 'x-vault-namespace': namespace }),
      },
      timeoutMs: DEFAULT_CALL_LIMITS.timeoutMs,
      maxBytes: MAX_RESPONSE_BYTES,
      onTooLarge: 'fail',
      signal,
    };
    const call = body === undefined ? this.http.get(request) : this.http.post({ ...request, body });
    const response = await call.catch((error: unknown) => {
      throw signerFailure(reasonOfConnection(error) ?? 'invalid_response', error);
    });
    if (response.status < 200 || response.status > 299) {
      throw signerFailure(
        reasonOfStatus(response.status) ?? 'invalid_response',
        new Error(`Vault responded with ${response.status} to ${path}`),
      );
    }
    return response.body;
  }
}

function parsed<T>(body: Buffer, path: string, parse: (body: Buffer) => T): T {
  try {
    return parse(body);
  } catch {
    // Thrown without a cause: the parser quotes the text, which may contain the key.
    throw invalidResponse(`Vault did not return JSON for ${path}`);
  }
}

/** Parses the body and overwrites it. */
function takeJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } finally {
    body.fill(0);
  }
}

const encodePath = (path: string): string => path.split('/').map(encodeURIComponent).join('/');

const invalidResponse = (text: string): SignerFailure => signerFailure('invalid_response', new Error(text));
