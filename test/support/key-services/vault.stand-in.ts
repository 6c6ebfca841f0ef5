import { randomUUID } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { respondWithJson, bodyOf, HTTP_FAULTS, type HttpFault } from './http-faults';
import { closeServer, listenOnLoopback } from './loopback-server';

/** The request in which a fault is to occur. */
export type VaultRequest = 'login' | 'read';

/** Implements the part of Vault's HTTP API that is needed to read a key: AppRole logins and the KV version 2 engine. */
export class VaultStandIn {
  readonly roleId = randomUUID();
  readonly secretId = randomUUID();
  readonly requests: string[] = [];
  /** The headers of each request. */
  readonly headers: IncomingHttpHeaders[] = [];
  namespace: string | undefined;
  /** A suffix of every token. */
  tokenEnd = '';
  private readonly server = createServer((request, response) => void this.serve(request, response));
  private readonly tokens = new Set<string>();
  private readonly secrets = new Map<string, unknown>();
  private readonly faults = new Map<VaultRequest, HttpFault>();
  private port = 0;

  async start(): Promise<void> {
    this.port = await listenOnLoopback(this.server);
  }

  stop(): Promise<void> {
    return closeServer(this.server);
  }

  get address(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** Stores a secret as `vault kv put -mount=mount name …` does. */
  put(mount: string, name: string, fields: unknown): void {
    this.secrets.set(`/v1/${mount}/data/${name}`, fields);
  }

  misbehave(request: VaultRequest, fault: HttpFault): void {
    this.faults.set(request, fault);
  }

  behave(): void {
    this.faults.clear();
    this.requests.length = 0;
    this.headers.length = 0;
    this.namespace = undefined;
    this.tokenEnd = '';
  }

  private async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await bodyOf(request);
    const login = request.url === '/v1/auth/approle/login';
    this.requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    this.headers.push(request.headers);
    const fault = this.faults.get(login ? 'login' : 'read');
    if (fault) {
      HTTP_FAULTS[fault](response);
      return;
    }
    if (
      request.headers['x-vault-namespace'] !== this.namespace ||
      request.headers['x-vault-request'] !== 'true'
    ) {
      respondWithJson(response, 403, { errors: ['permission denied'] });
      return;
    }
    if (login) this.login(request, body, response);
    else this.read(request, response);
  }

  private login(request: IncomingMessage, body: string, response: ServerResponse): void {
    const { role_id, secret_id } = JSON.parse(body) as Record<string, unknown>;
    if (request.method !== 'POST' || role_id !== this.roleId || secret_id !== this.secretId) {
      respondWithJson(response, 400, { errors: ['invalid role or secret ID'] });
      return;
    }
    const token = `hvs.${randomUUID()}${this.tokenEnd}`;
    this.tokens.add(token);
    respondWithJson(response, 200, {
      request_id: randomUUID(),
      data: null,
      auth: { client_token: token, token_type: 'service', lease_duration: 60, renewable: true },
    });
  }

  private read(request: IncomingMessage, response: ServerResponse): void {
    const token = request.headers['x-vault-token'];
    // As with token_num_uses=1, a token can be used for one read.
    if (request.method !== 'GET' || typeof token !== 'string' || !this.tokens.delete(token)) {
      respondWithJson(response, 403, { errors: ['permission denied'] });
      return;
    }
    const fields = this.secrets.get(request.url ?? '');
    if (fields === undefined) respondWithJson(response, 404, { errors: [] });
    else
      respondWithJson(response, 200, { data: { data: fields, metadata: { version: 1, destroyed: false } } });
  }
}
