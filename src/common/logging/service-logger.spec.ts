import { Logger } from '@nestjs/common';
import { currentRequest, runWithRequest } from '../http/request-context';
import { Secret } from '../secrets/secret';
import { type LogSettings, ServiceLogger } from './service-logger';

const KEY = 'k3y-of-"quotes"-and-\\back\\slashes';
const JSON_LINES: LogSettings = { format: 'json', level: 'log' };

/** Everything that is written to the two streams while `work` runs and shortly afterwards. */
async function written(work: () => void): Promise<string> {
  let text = '';
  const keep = (chunk: string | Uint8Array): boolean => {
    text += chunk.toString();
    return true;
  };
  const streams = [process.stdout, process.stderr].map((stream) =>
    jest.spyOn(stream, 'write').mockImplementation(keep),
  );
  try {
    work();
    await new Promise((resolve) => setTimeout(resolve, 20));
  } finally {
    streams.forEach((stream) => {
      stream.mockRestore();
    });
  }
  return text;
}

const lineOf = async (work: () => void): Promise<Record<string, unknown>> =>
  JSON.parse(await written(work)) as Record<string, unknown>;

describe('ServiceLogger', () => {
  const logger = new ServiceLogger(JSON_LINES, [new Secret(KEY), new Secret('')]);

  it('writes one line of JSON with named fields', async () => {
    const line = await lineOf(() => {
      logger.log('Request completed', { route: '/v1/health', status: 200 }, 'Request');
    });
    expect(line).toMatchObject({
      level: 'info',
      message: 'Request completed',
      context: 'Request',
      route: '/v1/health',
      status: 200,
    });
    expect(line.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line).not.toHaveProperty('request_id');
  });

  it.each(['error', 'warn', 'fatal'] as const)('writes the level %s', async (level) => {
    expect(
      await lineOf(() => {
        logger[level]('Sentence', { code: 'x' });
      }),
    ).toMatchObject({ level, message: 'Sentence' });
  });

  it('leaves errors that the framework throws as well to their catcher', async () => {
    const text = await written(() => {
      logger.error(new Error('no database'), 'ExceptionHandler');
    });
    expect(text).toBe('');
  });

  it('contains the id of the current request', async () => {
    const line = await lineOf(() => {
      runWithRequest('abc-1', () => {
        logger.log('Sentence');
      });
    });
    expect(line.request_id).toBe('abc-1');
  });

  it('contains the API key and the relayer of the request, once they are known', async () => {
    const line = await lineOf(() => {
      runWithRequest('abc-1', () => {
        const request = currentRequest();
        if (request) Object.assign(request, { keyId: 'payouts-key', relayerId: 'treasury' });
        logger.log('Sentence', { key_id: 'forged' });
      });
    });
    expect(line).toMatchObject({ request_id: 'abc-1', key_id: 'payouts-key', relayer_id: 'treasury' });
  });

  it('buffers the lines of requests and writes them before the next urgent line', async () => {
    const writes: string[] = [];
    const stdout = jest
      .spyOn(process.stdout, 'write')
      .mockImplementation((text) => writes.push(`out ${text as string}`) > 0);
    const stderr = jest
      .spyOn(process.stderr, 'write')
      .mockImplementation((text) => writes.push(`err ${text as string}`) > 0);
    runWithRequest('abc-1', () => {
      logger.log('one');
      logger.log('two');
      logger.error('urgent');
      logger.log('three');
    });
    expect(writes).toHaveLength(2);
    await new Promise((resolve) => setTimeout(resolve, 20));
    stdout.mockRestore();
    stderr.mockRestore();
    expect(writes.map((text) => [text.slice(0, 3), ...(text.match(/one|two|three|urgent/g) ?? [])])).toEqual([
      ['out', 'one', 'two'],
      ['err', 'urgent'],
      ['out', 'three'],
    ]);
  });

  it("does not let a caller's field replace one of its own", async () => {
    const line = await lineOf(() => {
      runWithRequest('abc-1', () => {
        logger.log('Sentence', { level: 'x', message: 'y', timestamp: 'z', request_id: 'forged' });
      });
    });
    expect(line).toMatchObject({ level: 'info', message: 'Sentence', request_id: 'abc-1' });
    expect(line.timestamp).not.toBe('z');
  });

  it('does not reveal a Secret in the fields', async () => {
    const text = await written(() => {
      logger.log('Sentence', { key: new Secret('hunter2'), nested: { list: [new Secret('hunter2')] } });
    });
    expect(text).toContain('"key":"[redacted]"');
    expect(text).not.toContain('hunter2');
  });

  it.each(['json', 'pretty'] as const)('redacts the configured secrets (%s)', async (format) => {
    const text = await written(() => {
      const blotting = new ServiceLogger({ format, level: 'log' }, [new Secret(KEY)]);
      blotting.log(`said ${KEY} twice ${KEY}`);
      blotting.warn('Sentence', { field: `Bearer ${KEY}`, nested: { deep: [KEY] }, [KEY]: 1 });
      blotting.error('Sentence', { cause: { text: KEY, stack: `Error: ${KEY}\n    at x` } });
    });
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6);
    expect(text).not.toContain('k3y-of');
    expect(text).not.toContain('slashes');
  });

  it('leaves lines unchanged if a configured secret is empty', async () => {
    expect(
      (
        await lineOf(() => {
          logger.log('Sentence');
        })
      ).message,
    ).toBe('Sentence');
  });

  it('writes nothing below its level', async () => {
    const text = await written(() => {
      logger.debug('Detail');
      logger.verbose('Detail');
    });
    expect(text).toBe('');
  });

  it('treats the start-up lines of the framework as debug level', async () => {
    const text = await written(() => {
      logger.log('Mapped {/v1/health, GET} route', 'RouterExplorer');
    });
    expect(text).toBe('');
  });

  describe('in pretty lines', () => {
    const { stdout, stderr, env } = process;
    const before = [stdout.isTTY, stderr.isTTY, env.NO_COLOR] as const;

    function set(out: boolean, err: boolean, noColor: string | undefined): void {
      // Of a stream that is no terminal, it is undefined.
      stdout.isTTY = out || (undefined as never);
      stderr.isTTY = err || (undefined as never);
      if (noColor === undefined) delete env.NO_COLOR;
      else env.NO_COLOR = noColor;
    }

    afterEach(() => {
      set(...before);
    });

    const lineOn = (out: boolean, err: boolean, noColor?: string): Promise<string> =>
      written(() => {
        set(out, err, noColor);
        new ServiceLogger({ format: 'pretty', level: 'log' }, []).log('Sentence', 'Somewhere');
      });

    it('writes times in ISO 8601', async () => {
      expect(await lineOn(false, false)).toMatch(
        /^\[Relayer\] \d+ +- \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z +LOG \[Somewhere\] Sentence\n$/,
      );
    });

    it('uses colours only on a terminal, unless NO_COLOR is set', async () => {
      expect(await lineOn(true, true)).toContain('\u001b[');
      for (const plain of [
        await lineOn(true, false),
        await lineOn(false, true),
        await lineOn(true, true, '1'),
      ])
        expect(plain).not.toContain('\u001b');
    });
  });

  it('includes the request id in pretty lines', async () => {
    const text = await written(() => {
      runWithRequest('abc-1', () => {
        new ServiceLogger({ format: 'pretty', level: 'log' }, []).log('Sentence');
      });
    });
    expect(text).toMatch(/Sentence.* request_id=abc-1\n$/s);
  });

  it('escapes control characters in pretty lines, as they may come from a client', async () => {
    const text = await written(() => {
      const pretty = new ServiceLogger({ format: 'pretty', level: 'log' }, []);
      pretty.log('Relayer with ID x\n\u001b[2Jy\u009b not found', { field: '\n\u001b[2J' });
    });
    expect(text).toContain('Relayer with ID x\\u000a\\u001b[2Jy\\u009b not found');
    expect(text).not.toContain('\u001b[2J');
    expect(text.match(/\n/g)).toHaveLength(1);
  });

  it('works as the logger of the framework', async () => {
    Logger.overrideLogger(logger);
    const line = await lineOf(() => {
      new Logger('Somewhere').warn('Sentence', { field: 1 });
    });
    expect(line).toMatchObject({ level: 'warn', context: 'Somewhere', message: 'Sentence', field: 1 });
  });
});
