import type { GrantedScope } from '../../src/access/scopes';
import { bearer, createApiKey } from './api-keys';
import type { TestApplication } from './application';
import type { Call, HttpResponse } from './http';

/** The grants of an API key. Without relayers and groups, it reaches all relayers. */
export interface Grant {
  scopes: readonly GrantedScope[];
  relayers?: readonly string[];
  groups?: readonly string[];
}

/** A client with an API key of its own. */
export class LimitedClient {
  private constructor(
    private readonly service: TestApplication,
    readonly id: string,
    private readonly key: string,
  ) {}

  static async create(service: TestApplication, grant: Grant): Promise<LimitedClient> {
    const { id, key } = await createApiKey(service, grant);
    return new LimitedClient(service, id, key);
  }

  call(call: Call): Promise<HttpResponse> {
    return this.service.call({ ...call, headers: { ...call.headers, ...bearer(this.key) } });
  }

  get(path: string): Promise<HttpResponse> {
    return this.call({ path });
  }

  /** Changes the grants of the key. */
  async narrow(changes: object): Promise<void> {
    expect((await this.service.patch(`/api/v1/api-keys/${this.id}`, changes)).status).toBe(200);
  }

  async revoke(): Promise<void> {
    const path = `/api/v1/api-keys/${this.id}`;
    expect((await this.service.call({ method: 'DELETE', path })).status).toBe(200);
  }
}

/** Sends a request that changes something, with the API key of a client. */
export const write = (
  client: LimitedClient,
  method: string,
  path: string,
  body?: object,
): Promise<HttpResponse> => client.call({ method, path, ...(body && { body }) });
