import type { TestApplication } from './application';
import { type HttpResponse, send } from './http';

/**
 * Creates an API key. The response is not among those that {@link TestApplication.close} searches for secrets, because
 * it contains one.
 */
export async function createApiKey(
  service: TestApplication,
  fields: object = {},
): Promise<{ id: string; key: string }> {
  const body = { name: 'Test', scopes: ['api-keys:manage'], ...fields };
  const response = await unrecorded(service, 'POST', '/api/v1/api-keys', body);
  expect(response.status).toBe(201);
  const { id, key } = response.body.data as { id: string; key: string };
  return { id, key: service.keepSecret(key) };
}

/** Replaces the secret of an API key. @returns the new key */
export async function rotateApiKey(service: TestApplication, id: string, body: object = {}): Promise<string> {
  const response = await unrecorded(service, 'POST', `/api/v1/api-keys/${id}/rotate`, body);
  expect(response.status).toBe(200);
  return service.keepSecret(response.body.data.key as string);
}

/** Makes a request with the root key, without recording the response. */
export function unrecorded(
  { url, config }: TestApplication,
  method: string,
  path: string,
  body: object,
): Promise<HttpResponse> {
  const authorization = `Bearer ${config.apiKeys[0].reveal()}`;
  return send(url, { method, path, body, headers: { authorization } });
}

/** The authorization header with this key. */
export const bearer = (key: string): { authorization: string } => ({ authorization: `Bearer ${key}` });
