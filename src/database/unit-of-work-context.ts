import { AsyncLocalStorage } from 'node:async_hooks';
import type { EntityManager } from 'typeorm';

/** The entity manager of the unit of work that the current call is part of. */
export const unitOfWorkContext = new AsyncLocalStorage<EntityManager>();
