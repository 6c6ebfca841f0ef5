import { spawnSync } from 'node:child_process';
import { WITH_TYPESCRIPT } from '../../../test/support/run-typescript';

const PROGRAM = `
  const { Logger } = require('@nestjs/common');
  const { Secret } = require('./src/common/secrets/secret');
  const { ServiceLogger } = require('./src/common/logging/service-logger');
  const { logUncaughtErrors } = require('./src/common/logging/uncaught-errors');
  Logger.overrideLogger(new ServiceLogger({ level: 'log', format: 'json' }, [new Secret('a-secret-of-the-service')]));
  logUncaughtErrors();
  setTimeout(() => {
    FAIL;
  });
`;

describe('logUncaughtErrors', () => {
  it.each([
    ['uncaughtException', "throw new Error('lost a-secret-of-the-service')"],
    ['unhandledRejection', "Promise.reject(new Error('lost a-secret-of-the-service'))"],
  ])('logs the error before the process ends: %s', (origin, fail) => {
    const program = PROGRAM.replace('FAIL', fail);
    const { status, stdout, stderr } = spawnSync(process.execPath, [...WITH_TYPESCRIPT, '-e', program], {
      encoding: 'utf8',
    });
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).not.toContain('a-secret-of-the-service');
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'fatal',
      context: 'Main',
      message: 'An error was not caught',
      origin,
      cause: expect.stringMatching(/^Error: lost [^\n]+\n +at /) as string,
    });
  });
});
