import { ERROR_POLICIES } from './error-codes';

describe('ERROR_POLICIES', () => {
  it('maps every code to its status', () => {
    const statuses = Object.fromEntries(
      Object.entries(ERROR_POLICIES).map(([code, policy]) => [code, policy.status as number]),
    );
    expect(statuses).toEqual({
      invalid_request: 400,
      unauthorized: 401,
      forbidden: 403,
      approval_required: 403,
      signing_frozen: 403,
      relayer_paused: 403,
      relayer_disabled: 403,
      transaction_not_allowed: 403,
      typed_data_not_allowed: 403,
      message_not_allowed: 403,
      route_not_found: 404,
      not_found: 404,
      relayer_not_found: 404,
      notification_not_found: 404,
      delivery_not_found: 404,
      signer_not_found: 404,
      network_not_found: 404,
      api_key_not_found: 404,
      transaction_not_found: 404,
      change_not_found: 404,
      metric_not_found: 404,
      request_timeout: 408,
      conflict: 409,
      idempotency_conflict: 409,
      relayer_exists: 409,
      relayer_in_use: 409,
      account_in_use: 409,
      signer_exists: 409,
      signer_in_use: 409,
      notification_exists: 409,
      notification_in_use: 409,
      too_many_subscribers: 409,
      network_exists: 409,
      network_in_use: 409,
      change_not_pending: 409,
      change_already_approved: 409,
      change_conflict: 409,
      payload_too_large: 413,
      unsupported_media_type: 415,
      expectation_failed: 417,
      rate_limited: 429,
      too_many_transactions: 429,
      too_many_changes: 429,
      headers_too_large: 431,
      row_altered: 500,
      internal_error: 500,
      signer_unavailable: 503,
      network_unavailable: 503,
      overloaded: 503,
      unavailable: 503,
    });
  });

  it.each([400, 401, 403, 404, 408, 409, 413, 415, 417, 429, 431, 500, 503])(
    'has a code for %d',
    (status) => {
      expect(Object.values(ERROR_POLICIES).map((policy) => policy.status as number)).toContain(status);
    },
  );

  it('logs server errors at error level and client errors at debug level', () => {
    for (const { status, level } of Object.values(ERROR_POLICIES)) {
      expect(level === 'debug').toBe((status as number) < 500);
    }
  });
});
