import { relative } from 'node:path';
import { Logger } from '@nestjs/common';
import type * as databases from './databases';

/**
 * Declares several suites in one file, so that they share the modules they load. Everything that a suite replaces is
 * restored after it.
 *
 * @param options `onlySqlite`: whether to skip what these suites run on MariaDB
 */
export function declareSuites(paths: readonly string[], options: { onlySqlite?: boolean } = {}): void {
  // Loaded only here, because it loads all entities, which unit suites do not need.
  if (options.onlySqlite) jest.requireActual<typeof databases>('./databases').skipMariaDb();
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
