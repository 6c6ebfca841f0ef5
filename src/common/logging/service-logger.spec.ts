import { Logger } from '@nestjs/common';
import type { LogSettings } from '../../config/app-config';
import { runWithRequest } from '../http/request-context';
import { Secret } from '../secrets/secret';
import { ServiceLogger } from './service-logger';

const KEY = 'k3y-of-"quotes"-and-\\back\\slashes';
const JSON_LINES: LogSettings = { format: 'json', level: 'log' };

/** Everything that is written to the two streams while `work` runs. */
function written(work: () => void): string {
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
  } finally {
    streams.forEach((stream) => {
      stream.mockRestore();
    });
  }
  return text;
}

const lineOf = (work: () => void): Record<string, unknown> =>
  JSON.parse(written(work)) as Record<string, unknown>;

describe('ServiceLogger', () => {
  const logger = new ServiceLogger(JSON_LINES, [new Secret(KEY), new Secret('')]);

  it('writes one line of JSON with named fields', () => {
    const line = lineOf(() => {
      logger.log('Request answered', { route: '/v1/health', status: 200 }, 'Request');
    });
    expect(line).toMatchObject({
      level: 'info',
      message: 'Request answered',
      context: 'Request',
      route: '/v1/health',
      status: 200,
    });
    expect(line.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(line).not.toHaveProperty('request_id');
  });

  it.each(['error', 'warn', 'fatal'] as const)('names the level %s', (level) => {
    expect(
      lineOf(() => {
        logger[level]('Sentence', { code: 'x' });
      }),
    ).toMatchObject({ level, message: 'Sentence' });
  });

  it('carries the id of the request that is served', () => {
    const line = lineOf(() => {
      runWithRequest('abc-1', () => {
        logger.log('Sentence');
      });
    });
    expect(line.request_id).toBe('abc-1');
  });

  it('lets no field of a caller stand for one of its own', () => {
    const line = lineOf(() => {
      runWithRequest('abc-1', () => {
        logger.log('Sentence', { level: 'x', message: 'y', timestamp: 'z', request_id: 'forged' });
      });
    });
    expect(line).toMatchObject({ level: 'info', message: 'Sentence', request_id: 'abc-1' });
    expect(line.timestamp).not.toBe('z');
  });

  it('shows no Secret among the fields', () => {
    const text = written(() => {
      logger.log('Sentence', { key: new Secret('hunter2'), nested: { list: [new Secret('hunter2')] } });
    });
    expect(text).toContain('"key":"[redacted]"');
    expect(text).not.toContain('hunter2');
  });

  it.each(['json', 'pretty'] as const)('blots out the configured secrets (%s)', (format) => {
    const text = written(() => {
      const blotting = new ServiceLogger({ format, level: 'log' }, [new Secret(KEY)]);
      blotting.log(`said ${KEY} twice ${KEY}`);
      blotting.warn('Sentence', { field: `Bearer ${KEY}`, nested: { deep: [KEY] }, [KEY]: 1 });
      blotting.error('Sentence', { cause: { text: KEY, stack: `Error: ${KEY}\n    at x` } });
    });
    expect(text.match(/\[redacted\]/g)?.length).toBeGreaterThanOrEqual(6);
    expect(text).not.toContain('k3y-of');
    expect(text).not.toContain('slashes');
  });

  it('leaves lines alone where a configured secret is empty', () => {
    expect(
      lineOf(() => {
        logger.log('Sentence');
      }).message,
    ).toBe('Sentence');
  });

  it('writes nothing below its level', () => {
    const text = written(() => {
      logger.debug('Detail');
      logger.verbose('Detail');
    });
    expect(text).toBe('');
  });

  it('takes the framework’s tale of its start for a detail', () => {
    const text = written(() => {
      logger.log('Mapped {/v1/health, GET} route', 'RouterExplorer');
    });
    expect(text).toBe('');
  });

  it('writes the id of the request on a pretty line too', () => {
    const text = written(() => {
      runWithRequest('abc-1', () => {
        new ServiceLogger({ format: 'pretty', level: 'log' }, []).log('Sentence');
      });
    });
    expect(text).toMatch(/Sentence.* request_id=abc-1\n$/s);
  });

  it('serves the loggers of the framework', () => {
    Logger.overrideLogger(logger);
    const line = lineOf(() => {
      new Logger('Somewhere').warn('Sentence', { field: 1 });
    });
    expect(line).toMatchObject({ level: 'warn', context: 'Somewhere', message: 'Sentence', field: 1 });
  });
});
