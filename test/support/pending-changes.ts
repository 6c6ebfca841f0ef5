import type { HttpResponse } from './http';

/** The status of a response, and that of its change, or the message of a failure. */
export const changeOutcome = ({ status, body }: HttpResponse): unknown[] =>
  status < 300 ? [status, body.data.status] : [status, body.message];

/** The id of the pending change of a response. */
export function pendingChange(response: HttpResponse): string {
  expect(changeOutcome(response)).toEqual([202, 'pending']);
  return response.body.data.id as string;
}
