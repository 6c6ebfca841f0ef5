import { AUDIT_SINK_RULE, parseAuditSink } from './audit-sink';

describe('AUDIT_SINK', () => {
  it.each([
    ['file:/var/log/audit.ndjson', { kind: 'file', path: '/var/log/audit.ndjson' }],
    ['file:///var/log/audit.ndjson', { kind: 'file', path: '/var/log/audit.ndjson' }],
    ['syslog+tls://logs.internal:6515', { kind: 'syslog', host: 'logs.internal', port: 6515 }],
    ['syslog+tls://10.0.0.1', { kind: 'syslog', host: '10.0.0.1', port: 6514 }],
    ['syslog+tls://[fd00::1]:6514/', { kind: 'syslog', host: 'fd00::1', port: 6514 }],
  ])('reads %s', (text, sink) => {
    expect(parseAuditSink(text)).toEqual(sink);
  });

  it('reads an https URL, which may carry credentials', () => {
    const url = 'https://user:password@audit.example.com/in?token=x';
    const sink = parseAuditSink(url);
    expect(sink.kind === 'https' && sink.url.reveal()).toBe(url);
    expect(JSON.stringify(sink)).not.toContain('password');
  });

  it.each([
    'audit.ndjson',
    '/var/log/audit.ndjson',
    'file:audit.ndjson',
    'file://host/audit.ndjson',
    'file:/var/log/',
    'http://audit.example.com',
    'syslog://logs.internal:514',
    'syslog+tls://',
    'syslog+tls://logs.internal:0',
    'syslog+tls://user@logs.internal',
    'syslog+tls://logs.internal/path',
    'https://',
  ])('refuses %s', (text) => {
    expect(() => parseAuditSink(text)).toThrow(AUDIT_SINK_RULE);
  });
});
