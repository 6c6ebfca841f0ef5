import { relative } from 'node:path';
import { Logger } from '@nestjs/common';

/**
 * Declares several suites in one file, so that they share the modules they load. Everything that a suite replaces is
 * restored after it.
 */
export function declareSuites(paths: readonly string[]): void {
  for (const path of paths) {
    describe(relative(process.cwd(), path), () => {
      const environment = { ...process.env };
      jest.requireActual(path);
      afterAll(() => {
        jest.useRealTimers();
        jest.restoreAllMocks();
        Logger.overrideLogger(false);
        for (const name of Object.keys(process.env))
          if (!(name in environment)) Reflect.deleteProperty(process.env, name);
        Object.assign(process.env, environment);
      });
    });
  }
}
