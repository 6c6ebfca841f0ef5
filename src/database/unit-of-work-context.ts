import type { EntityManager } from 'typeorm';
import { ContextVariable } from '../common/context/context-variable';

/** The entity manager of the unit of work that the current call is part of. */
export const unitOfWorkContext = new ContextVariable<EntityManager>();
