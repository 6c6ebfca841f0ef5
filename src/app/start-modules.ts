import { type INestApplication, Logger } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { START_HOOKS } from '../plugins/hooks';
import { PendingHooks } from './pending-hooks';

const NOTICE_MS = 30_000;

/**
 * Calls the hooks with which modules start, and logs every 30 s that one of them has not ended: no other line would say
 * why a service with such a plugin never listens. The line names those of added modules.
 *
 * @throws the error of a hook
 */
export async function startModules(app: Pick<INestApplication, 'init' | 'get'>): Promise<void> {
  const hooks = new PendingHooks(app.get(ModulesContainer), START_HOOKS);
  const begin = performance.now();
  const notice = setInterval(() => {
    const seconds = Math.round((performance.now() - begin) / 1000);
    new Logger('Main').warn('The start waits for an onModuleInit or onApplicationBootstrap', {
      seconds,
      hooks: hooks.names,
    });
  }, NOTICE_MS);
  try {
    await app.init();
  } finally {
    clearInterval(notice);
    hooks.close();
  }
}
