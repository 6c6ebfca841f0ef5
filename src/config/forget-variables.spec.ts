import { forgetProxies, forgetSecretVariables, forgetUnverifiedTls } from './forget-variables';

describe('forgetSecretVariables', () => {
  it('removes the variables that hold secrets of the service, and no others', () => {
    const env = {
      API_KEY: 'a',
      STORAGE_ENCRYPTION_KEY: 'b',
      DATABASE_URL: 'c',
      REDIS_URL: 'd',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=f',
      OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'authorization=g',
      OTEL_EXPORTER_OTLP_METRICS_HEADERS: 'authorization=h',
      // The vendor's client reads the environment again.
      AWS_SECRET_ACCESS_KEY: 'e',
      PORT: '1',
    };
    forgetSecretVariables(env);
    expect(env).toEqual({ AWS_SECRET_ACCESS_KEY: 'e', PORT: '1' });
  });
});

describe('forgetProxies', () => {
  it('removes proxy variables in any case, and returns their names', () => {
    const env = {
      HTTPS_PROXY: 'a',
      http_proxy: 'b',
      All_Proxy: 'c',
      NO_PROXY: 'd',
      HTTPS_PROXY_PORT: 'e',
      TRUST_PROXY: '1',
    };
    expect(forgetProxies(env)).toEqual(['HTTPS_PROXY', 'http_proxy', 'All_Proxy']);
    expect(env).toEqual({ NO_PROXY: 'd', HTTPS_PROXY_PORT: 'e', TRUST_PROXY: '1' });
  });
});

describe('forgetUnverifiedTls', () => {
  it.each([
    ['0', true],
    ['1', false],
  ])('removes NODE_TLS_REJECT_UNAUTHORIZED=%s, and tells whether it had an effect', (value, wasOff) => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: value, PORT: '1' };
    expect(forgetUnverifiedTls(env)).toBe(wasOff);
    expect(env).toEqual({ PORT: '1' });
  });
});
