import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Response } from 'express';
import { BytePieces } from './byte-pieces';
import { RawBody } from './raw-body';

const MEBIBYTE = 1024 * 1024;

describe('RawBody', () => {
  let server: Server;
  let serve: (response: Response) => void;
  let sent: number;

  beforeEach(async () => {
    sent = 0;
    server = createServer((_request, response) => {
      serve(response as unknown as Response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const port = () => (server.address() as AddressInfo).port;
  const body = (...pieces: Buffer[]) => new RawBody(new BytePieces(pieces), () => (sent += 1));
  const get = async (): Promise<[string | undefined, Buffer]> => {
    const [response] = (await once(request({ port: port() }).end(), 'response')) as [
      NodeJS.ReadableStream & { headers: Record<string, string> },
    ];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    return [response.headers['content-length'], Buffer.concat(chunks)];
  };
  const untilSent = async (): Promise<void> => {
    while (sent === 0) await new Promise(setImmediate);
  };

  it.each([
    ['nothing', []],
    ['small pieces', [Buffer.from('[1,'), Buffer.from('2]')]],
    ['large ones', Array.from({ length: 8 }, (_, i) => Buffer.alloc(MEBIBYTE, String(i)))],
  ])('sends %s with a content length, and reports once that it was sent', async (_what, pieces) => {
    serve = (response) => {
      body(...pieces).send(response);
    };
    const whole = Buffer.concat(pieces);
    const [length, received] = await get();
    expect([length, received.equals(whole)]).toEqual([String(whole.length), true]);
    await untilSent();
    expect(sent).toBe(1);
  });

  it('reports it as sent when the client disconnects halfway', async () => {
    serve = (response) => {
      body(...Array.from({ length: 32 }, () => Buffer.alloc(MEBIBYTE))).send(response);
    };
    const socket = connect(port(), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    await once(socket, 'data');
    expect(sent).toBe(0);
    socket.destroy();
    await untilSent();
    expect(sent).toBe(1);
  });

  it('reports it as sent immediately if the response was already sent or its connection closed', async () => {
    const gone = new Promise<void>((resolve) => {
      serve = (response) => {
        response.once('close', () => {
          body(Buffer.from('late')).send(response);
          resolve();
        });
      };
    });
    const socket = connect(port(), '127.0.0.1', () => socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    await gone;
    expect(sent).toBe(1);
    serve = (response) => {
      response.end('in time');
      body(Buffer.from('late')).send(response);
    };
    expect((await get())[1].toString()).toBe('in time');
    expect(sent).toBe(2);
  });
});
