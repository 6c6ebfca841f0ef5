import { AuditEventQueryPipe } from './audit-event.query';

describe('AuditEventQueryPipe', () => {
  const pipe = new AuditEventQueryPipe();

  it.each([{}, { page: '1' }, { page: '0' }])('reads the first page with %j', (query) => {
    expect(pipe.transform(query)).toEqual({ per_page: 10, cursor: null });
  });

  it.each(['2', '', 'abc', '-1', ['1', '2'], {}])('refuses page=%j', (page) => {
    expect(() => pipe.transform({ page, per_page: '1' })).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        detail: 'page must be 1, or left out: this list continues by cursor',
      }),
    );
  });
});
