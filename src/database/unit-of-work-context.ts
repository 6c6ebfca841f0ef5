import type { EntityManager } from 'typeorm';
import { ContextVariable } from '../common/context/context-variable';

/** The entity manager of the current call's unit of work. */
export const unitOfWorkContext = new ContextVariable<EntityManager>();
