import type { TestApplication } from './application';
import type { HttpResponse } from './http';
import { until } from './private-servers';

/** The members of a delivery in the API that tests examine. */
export interface ShownDelivery {
  id: string;
  state: string;
  attempt_count: number;
  created_at: string;
  next_attempt_at?: string;
  last_status?: number;
  last_failure?: string;
  attempts?: {
    started_at: string;
    duration_ms: number;
    status?: number;
    failure?: string;
    answer?: string;
  }[];
}

/** The webhook `hook` of a test, accessed through the API. */
export class TestNotification {
  private readonly path = '/api/v1/notifications/hook';

  private constructor(private readonly service: TestApplication) {}

  static async add(service: TestApplication, url: string, more: object = {}): Promise<TestNotification> {
    const response = await service.post('/api/v1/notifications', { id: 'hook', url, ...more });
    expect(response.status).toBe(201);
    return new TestNotification(service);
  }

  get(path = ''): Promise<HttpResponse> {
    return this.service.get(this.path + path);
  }

  /** Sends no body if it is undefined. */
  post(path: string, body?: unknown): Promise<HttpResponse> {
    return this.service.call({ method: 'POST', path: this.path + path, ...(body !== undefined && { body }) });
  }

  patch(body: unknown): Promise<HttpResponse> {
    return this.service.patch(this.path, body);
  }

  delete(): Promise<HttpResponse> {
    return this.service.call({ method: 'DELETE', path: this.path });
  }

  /** Causes the delivery of a test event. */
  async test(): Promise<ShownDelivery> {
    const { status, body } = await this.post('/test');
    expect(status).toBe(201);
    return body.data;
  }

  async delivery(id: string): Promise<ShownDelivery> {
    return (await this.get(`/deliveries/${id}`)).body.data;
  }

  async until(id: string, what: string, is: (delivery: ShownDelivery) => boolean): Promise<ShownDelivery> {
    await until(what, async () => is(await this.delivery(id)));
    return this.delivery(id);
  }
}
