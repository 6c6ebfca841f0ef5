import {
  collectorFormat,
  collectorHeadersFormat,
  parseCollectorHeaders,
  ratioFormat,
} from './telemetry-formats';

describe('The formats of OpenTelemetry settings', () => {
  it('read headers with percent-encoded values', () => {
    expect(parseCollectorHeaders('Authorization=Bearer%20a%2Cb, x-tenant = 7')).toEqual({
      authorization: 'Bearer a,b',
      'x-tenant': '7',
    });
  });

  it.each(['', 'a', 'a=%', 'a b=c', 'a=%0d%0a', 'a=1,,b=2'])(
    'refuse the headers %p without revealing them',
    (text) => {
      expect(() => collectorHeadersFormat.parse(text)).toThrow(/^must be a list such as/);
    },
  );

  it.each([
    ['http://collector:4318', 'http://collector:4318'],
    ['https://collector/otlp/', 'https://collector/otlp'],
  ])('read the endpoint %s', (text, url) => {
    expect(collectorFormat.parse(text)).toBe(url);
  });

  it.each([
    'collector:4318',
    'grpc://collector',
    'http://user:pass@collector',
    'http://collector?a=b',
    'http://collector/#a',
  ])('refuse the endpoint %s', (text) => {
    expect(() => collectorFormat.parse(text)).toThrow('must be a URL such as');
  });

  it.each(['0', '1', '0.05'])('read the ratio %s', (text) => {
    expect(ratioFormat.parse(text)).toBe(Number(text));
  });

  it.each(['-1', '1.1', '2', 'half', '.5', '1e-3'])('refuse the ratio %s', (text) => {
    expect(() => ratioFormat.parse(text)).toThrow('must be a number from 0 to 1');
  });
});
