import type { HttpResponse } from './http';

/** The id of the pending change of a response. */
export function pendingChange({ status, body }: HttpResponse): string {
  expect([status, body.data?.status]).toEqual([202, 'pending']);
  return body.data.id as string;
}
