import { readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import zlib from 'node:zlib';
import { ThrottlerStorageService } from '@nestjs/throttler';
import {
  decryptKeystoreJsonSync,
  encryptKeystoreJsonSync,
  FetchRequest,
  getAddress,
  getIcapAddress,
  Signature,
  TypedDataEncoder,
} from 'ethers';
import express from 'express';
import { Agent, buildConnector } from 'undici';
import packageJson from '../package.json';
import { CertificateAuthority } from './support/certificates';
import { SyslogCollector } from './support/syslog-collector';

const ADDRESS = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826';

/** A file of an installed package that its exports do not expose. */
function sourceOf(packageName: string, file: string): string {
  const manifest = join(__dirname, '../node_modules', packageName, 'package.json');
  return readFileSync(join(dirname(manifest), file), 'utf8');
}

/**
 * The behaviour of libraries that makes code of our own necessary ("Code of our own" in docs/architecture.md). If one
 * of these tests fails after an upgrade, that code may have become superfluous.
 */
describe('The limitations of libraries that require code of our own', () => {
  it('RLP: ethers copies the whole list for each of its items', () => {
    expect(sourceOf('ethers', 'lib.commonjs/utils/rlp-encode.js')).toContain('payload = payload.concat(');
  });

  it('strict JSON: JSON.parse rounds numbers and keeps the last of duplicate members', () => {
    expect(JSON.parse('{"a": 1, "a": 9007199254740993}')).toEqual({ a: 9007199254740992 });
  });

  it('DER: ethers does not parse DER signatures', () => {
    expect(() => Signature.from('0x3006020101020101')).toThrow('invalid raw signature length');
  });

  it('StrKey: no Stellar package is installed', () => {
    const installed = Object.keys({ ...packageJson.dependencies, ...packageJson.devDependencies });
    expect(installed.filter((name) => name.includes('stellar'))).toEqual([]);
  });

  it('MySQL query runner: mysql2 keeps a connection whose statement has timed out', () => {
    const source = sourceOf('mysql2', 'lib/commands/query.js');
    const [handler = ''] = /_handleTimeoutError\(\) \{.*?\n {2}\}/s.exec(source) ?? [];
    expect(handler).toContain('PROTOCOL_SEQUENCE_TIMEOUT');
    expect(handler).not.toMatch(/destroy|close|end\(/);
    const connection = sourceOf('mysql2', 'lib/base/connection.js');
    const [close = ''] = /^ {2}close\(\) \{.*?\n {2}\}/ms.exec(connection) ?? [];
    expect(close).toContain('this.stream.end()');
    expect(close).not.toContain('destroy');
  });

  it('MySQL pool end: TypeORM does not end the pool if the first statement fails', () => {
    const source = sourceOf('typeorm', 'driver/mysql/MysqlDriver.js');
    const [connect = ''] = /^ {4}async connect\(\) \{.*?\n {4}\}/ms.exec(source) ?? [];
    expect(connect).toContain('getVersion()');
    expect(connect).not.toMatch(/catch|finally/);
  });

  it('outbound connector: Node does not call the lookup function for literal addresses', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const lookup = jest.fn();
    const connector = buildConnector({ lookup });
    const { port } = server.address() as AddressInfo;
    const socket = await new Promise<Socket | null>((resolve) => {
      connector({ hostname: '127.0.0.1', protocol: 'http:', port: String(port) }, (_error, opened) => {
        resolve(opened);
      });
    });
    expect(socket?.remoteAddress).toBe('127.0.0.1');
    expect(lookup).not.toHaveBeenCalled();
    socket?.destroy();
    server.close();
  });

  it('outbound agent: the limit of undici excludes attempts in progress when one fails', async () => {
    const attempts: buildConnector.Callback[] = [];
    const agent = new Agent({ connections: 2, connect: (_options, callback) => attempts.push(callback) });
    const request = () =>
      agent
        .request({ origin: 'http://127.0.0.1', path: '/', method: 'GET' })
        .catch((error: unknown) => error);
    const requests = [request(), request()];
    attempts[1]?.(new Error('refused'), null);
    requests.push(request(), request());
    // One failed, so three are in progress.
    expect(attempts).toHaveLength(4);
    for (const index of [0, 2, 3]) attempts[index]?.(new Error('refused'), null);
    await Promise.all(requests);
    await agent.destroy();
  });

  it('keystore thread: ethers returns the key as a string', () => {
    const account = {
      address: ADDRESS,
      privateKey: '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4',
    };
    const json = encryptKeystoreJsonSync(account, 'secret', { scrypt: { N: 2, r: 1, p: 1 } });
    expect(decryptKeystoreJsonSync(json, 'secret').privateKey).toBe(account.privateKey);
  });

  it('RPC pool: ethers retries by itself and has no limit on the size of a response', () => {
    const members = Object.getOwnPropertyNames(FetchRequest.prototype);
    expect(members).toContain('setThrottleParams');
    expect(members.filter((name) => /max|limit|size/i.test(name))).toEqual([]);
  });

  it('rate limiter: the storage of the throttler retains an entry for each request', async () => {
    const storage = new ThrottlerStorageService();
    for (let i = 0; i < 3; i += 1) await storage.increment('client', 60_000, 1000, 0, 'default');
    const { hitExpirations } = storage as unknown as { hitExpirations: Map<string, Map<string, number[]>> };
    expect(hitExpirations.get('client')?.get('default')).toHaveLength(3);
    storage.onApplicationShutdown();
  });

  it('connection limits: Node refuses the newest connection even if an older one is idle', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    server.maxConnections = 1;
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const idle = connect(port, '127.0.0.1');
    await once(server, 'connection');
    const newest = connect(port, '127.0.0.1').resume();
    await once(newest, 'close');
    expect(idle.destroyed).toBe(false);
    idle.destroy();
    server.close();
  });

  it('Express adapter: Express changes the prototype of every request and response', () => {
    const handle = String((express.application as unknown as { handle: unknown }).handle);
    expect(handle).toMatch(/setPrototypeOf\(req, .*setPrototypeOf\(res, /s);
  });

  it('addresses: ethers accepts ICAP', () => {
    expect(getAddress(getIcapAddress(ADDRESS))).toBe(ADDRESS);
  });

  it('typed data: ethers hashes it in a single synchronous call', () => {
    expect(typeof TypedDataEncoder.hash({}, { A: [{ name: 'a', type: 'bool' }] }, { a: true })).toBe(
      'string',
    );
  });

  it('CRC32C: Node computes CRC32 only', () => {
    expect('crc32c' in zlib).toBe(false);
  });

  it('RFC 3339: Date accepts days that do not exist', () => {
    expect(new Date('2026-02-31T00:00:00Z').getTime()).not.toBeNaN();
  });

  it('token transports: clients for tokens do not take over the options of their caller', () => {
    const google = sourceOf('google-auth-library', 'build/src/auth/baseexternalclient.js');
    const [exchange = ''] = /new sts\.StsCredentials\(\{.*?\}\)/s.exec(google) ?? [];
    expect(exchange).toContain('tokenExchangeEndpoint');
    expect(exchange).not.toContain('transporter');
    const azure = sourceOf(
      '@azure/identity',
      'dist/commonjs/credentials/managedIdentityCredential/tokenExchangeMsi.js',
    );
    expect(azure).toContain('const identityClientTokenCredentialOptions = {};');
  });

  it('hex keys: Buffer decodes hex from strings only', () => {
    const digits = Buffer.from('ff');
    expect(Buffer.from(digits as never, 'hex')).toEqual(digits);
  });

  it('close_notify watch: Node emits end for a plain FIN', async () => {
    const authority = new CertificateAuthority();
    const certificate = authority.selfSigned('localhost');
    authority.remove();
    const collector = await SyslogCollector.start(certificate);
    collector.endsWith = 'fin';
    const client = connectTls({
      port: collector.port,
      host: '127.0.0.1',
      servername: 'localhost',
      ca: certificate.cert,
    });
    await once(client, 'secureConnect');
    client.end();
    await once(client.resume(), 'end');
    await collector.close();
  });
});
