import { prefersExposition } from './prefers-exposition';

/** The headers of Prometheus 3 and 2. */
const PROMETHEUS_3 =
  'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2';
const PROMETHEUS_2 =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

describe('prefersExposition', () => {
  it.each([
    PROMETHEUS_3,
    PROMETHEUS_2,
    'text/plain',
    'TEXT/PLAIN',
    'text/plain; version=0.0.4',
    'text/*',
    'application/openmetrics-text',
    'text/plain, application/json;q=0.9',
    'application/json;q=0.5 , text/plain;q=0.6',
    'text/plain, */*;q=0.1',
    '*/*, application/json;q=0',
    'application/json;q=0, text/plain;q=0.001',
    'text/plain;Q=1.0',
  ])('returns true for %j', (accept) => {
    expect(prefersExposition(accept)).toBe(true);
  });

  it.each([
    undefined,
    '',
    '*/*',
    '*/*;q=0.1',
    'application/json',
    'application/json, text/plain',
    'text/plain, application/json',
    'application/json, text/plain;q=0.9',
    'text/plain, */*',
    'application/*, text/plain;q=0.9',
    'text/plain;q=0',
    'text/plain;q=0.0, */*;q=0.1',
    'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
    'text/html',
    'text/plain;q=2',
    'text/plain;q=x',
    'text/plain;q=-1',
    ';;;,,,',
  ])('returns false for %j', (accept) => {
    expect(prefersExposition(accept)).toBe(false);
  });
});
