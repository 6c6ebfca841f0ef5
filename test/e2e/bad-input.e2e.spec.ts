import { addRelayer } from '../support/builders';
import { describeService } from '../support/describe-service';
import type { Call } from '../support/http';

import {
  BAD_BODIES,
  NAME_RULE,
  NOTIFICATIONS,
  PAGE_RULE,
  PER_PAGE_RULE,
  RELAYER,
  WITHOUT_BODY,
} from './bad-bodies';

describeService('Bad input', ({ service }) => {
  let before: string;

  const everything = async (): Promise<string> =>
    (await service.get('/api/v1/relayers')).text + (await service.get('/api/v1/notifications')).text;

  beforeAll(async () => {
    await addRelayer(service, { id: 'cow', name: 'Cow', policies: { min_balance: 5 } });
    await service.post(NOTIFICATIONS, {
      id: 'hook',
      url: 'https://hooks.example.com',
      signing_key: 'k'.repeat(32),
    });
    before = await everything();
  });

  afterEach(async () => {
    expect(await everything()).toBe(before);
  });

  const expectRefusal = async (call: Call, status: number, message: string, error: string): Promise<void> => {
    const response = await service.call(call);
    expect(response.body).toEqual({ success: false, data: null, error, message });
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  };

  it.each(BAD_BODIES)('%s %s %j', (path, method, body, error) =>
    expectRefusal({ method, path, body }, 400, 'Bad Request', error),
  );

  it.each(['', 'abc', '-1', '1.5', '1e3', ' 1', '0x1', '1000000000000000000000000000000', '1&page=2'])(
    'refuses ?page=%s on both lists',
    async (page) => {
      for (const list of ['/api/v1/relayers', NOTIFICATIONS]) {
        const path = `${list}?page=${page.replace(' ', '%20')}`;
        await expectRefusal({ path }, 400, 'Bad Request', `page ${PAGE_RULE}`);
        await expectRefusal(
          { path: path.replaceAll('page', 'per_page') },
          400,
          'Bad Request',
          `per_page ${PER_PAGE_RULE}`,
        );
      }
    },
  );

  it('refuses more than 1000 items per page', () =>
    expectRefusal(
      { path: '/api/v1/relayers?per_page=1001' },
      400,
      'Bad Request',
      `per_page ${PER_PAGE_RULE}`,
    ));

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ])('refuses Content-Type %s', (type) =>
    expectRefusal(
      { method: 'PATCH', path: RELAYER, body: '{"paused":true}', headers: { 'content-type': type } },
      400,
      'Bad Request',
      WITHOUT_BODY,
    ),
  );

  it('accepts the media type of merge patches', async () => {
    const headers = { 'content-type': 'application/merge-patch+json; charset=utf-8' };
    expect((await service.call({ method: 'PATCH', path: RELAYER, body: '{}', headers })).status).toBe(200);
  });

  it('refuses an unknown Content-Encoding', () =>
    expectRefusal(
      { method: 'PATCH', path: RELAYER, body: '{}', headers: { 'content-encoding': 'snappy' } },
      415,
      'Unsupported Media Type',
      'Content-Encoding must be identity: send the body uncompressed',
    ));

  it('reads a body of 1 MiB, and refuses one byte more', async () => {
    const body = (bytes: number): string => `{"name":"${'x'.repeat(bytes - '{"name":""}'.length)}"}`;
    await expectRefusal(
      { method: 'PATCH', path: RELAYER, body: body(1024 * 1024) },
      400,
      'Bad Request',
      `name ${NAME_RULE}`,
    );
    await expectRefusal(
      { method: 'PATCH', path: RELAYER, body: body(1024 * 1024 + 1) },
      413,
      'Payload Too Large',
      'the request body must not exceed 1 MiB',
    );
  });

  it('reports at most ten faults', async () => {
    const body = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, i]));
    const response = await service.patch(RELAYER, body);
    expect(response.body.error).toMatch(/^field0 is not a known field; .*; and 20 more$/);
  });

  it.each([
    ['GET', '/api/v1/nothing'],
    ['POST', '/'],
    ['DELETE', '/api/v1/relayers'],
    ['PUT', RELAYER],
    ['GET', '/api/v1/relayers/%E0%A4%A'],
    ['GET', '/../../etc/passwd'],
  ])('%s %s is not a route', async (method, path) => {
    const response = await service.call({ method, path });
    expect(response.body).toMatchObject({ success: false, data: null });
    expect([400, 404]).toContain(response.status);
  });
});
