import type { GrantedScope } from '../../src/access/scopes';
import { AuditLog } from '../../src/audit/audit-log';
import { apiKeyEntry } from '../../src/auth/api-keys/api-key-audit';
import { ApiKeyEntity } from '../../src/auth/api-keys/api-key.entity';
import { newApiKey } from '../../src/auth/api-keys/new-api-key';
import { ApiKeysService } from '../../src/auth/api-keys/api-keys.service';
import { ProtectedRows } from '../../src/database/integrity/protected-rows';
import { RowIntegrity } from '../../src/database/integrity/row-integrity';
import { UnitOfWork } from '../../src/database/unit-of-work';
import { bearer } from './api-keys';
import type { TestApplication } from './application';
import type { HttpResponse } from './http';

interface Grant {
  scopes?: GrantedScope[];
  relayers?: string[];
  groups?: string[];
}

/** The holder of an API key, who may call any instance with it. */
export class KeyHolder {
  private constructor(
    private readonly service: TestApplication,
    readonly id: string,
    readonly key: string,
  ) {}

  /**
   * Stores a key in the same way as the command, which requires no approval. If no scopes are given, it may do
   * everything.
   */
  static async add(service: TestApplication, { scopes = ['*'], ...reach }: Grant = {}): Promise<KeyHolder> {
    const { row, text } = newApiKey({ name: 'Holder', scopes, ...reach }, 'shell');
    const { app } = service;
    const unitOfWork = app.get(UnitOfWork, { strict: false });
    const keys = new ProtectedRows(unitOfWork, app.get(RowIntegrity, { strict: false }), ApiKeyEntity);
    await unitOfWork.run(async () => {
      const created = await keys.insert(row);
      await app
        .get(AuditLog, { strict: false })
        .record(apiKeyEntry('api_key.create', created.id, null, created));
    });
    if (!text) throw new Error('The key has no secret');
    return new KeyHolder(service, row.id, service.keepSecret(text.reveal()));
  }

  call(method: string, path: string, body?: object, instance = this.service): Promise<HttpResponse> {
    return instance.call({ method, path, headers: bearer(this.key), ...(body && { body }) });
  }

  approve(change: string, instance?: TestApplication): Promise<HttpResponse> {
    return this.call('POST', `/api/v1/changes/${change}/approve`, undefined, instance);
  }

  reject(change: string): Promise<HttpResponse> {
    return this.call('POST', `/api/v1/changes/${change}/reject`);
  }

  show(change: string): Promise<HttpResponse> {
    return this.call('GET', `/api/v1/changes/${change}`);
  }

  async revoke(): Promise<void> {
    await this.service.app.get(ApiKeysService).revoke(this.id);
  }
}

/** A client with the root key whose requests for new relayers are approved at once. */
export const approvedBy = (
  approver: KeyHolder,
  service: TestApplication,
): Pick<TestApplication, 'call' | 'keepSecret'> => ({
  keepSecret: (secret) => service.keepSecret(secret),
  call: async (call) => {
    const response = await service.call(call);
    if (response.status !== 202) return response;
    await approver.approve(response.body.data.id as string);
    const { id } = response.body.data.request as { id: string };
    return { ...(await service.get(`/api/v1/relayers/${id}`)), status: 201 };
  },
});
