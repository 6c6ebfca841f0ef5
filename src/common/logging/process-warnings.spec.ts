import { spawnSync } from 'node:child_process';
import { WITH_TYPESCRIPT } from '../../../test/support/run-typescript';

const PROGRAM = `
  const { Secret } = require('./src/common/secrets/secret');
  const { ServiceLogger } = require('./src/common/logging/service-logger');
  const { logProcessWarnings } = require('./src/common/logging/process-warnings');
  logProcessWarnings(new ServiceLogger({ level: 'log', format: 'json' }, [new Secret('a-secret-of-the-service')]));
  process.emitWarning('The key a-secret-of-the-service is old', { type: 'DeprecationWarning', code: 'DEP9999' });
  process.emitWarning('Almost full');
`;

const run = (...options: string[]) =>
  spawnSync(process.execPath, [...options, ...WITH_TYPESCRIPT, '-e', PROGRAM], { encoding: 'utf8' });

describe('logProcessWarnings', () => {
  it('logs each warning as a line of its own, without secrets', () => {
    const { stdout, stderr } = run();
    const lines = `${stdout}${stderr}`.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 'warn',
        context: 'Node',
        warning: 'DeprecationWarning',
        code: 'DEP9999',
      }),
      expect.objectContaining({ level: 'warn', message: 'Almost full', warning: 'Warning' }),
    ]);
    expect(`${stdout}${stderr}`).not.toContain('a-secret-of-the-service');
  });

  it('logs nothing with --no-warnings', () => {
    const { stdout, stderr } = run('--no-warnings');
    expect(`${stdout}${stderr}`).toBe('');
  });
});
