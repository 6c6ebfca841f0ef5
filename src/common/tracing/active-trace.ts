import { ContextVariable } from '../context/context-variable';
import type { TraceContext } from './trace-context';

/** The span in progress, within a request or background work. */
export const activeTrace = new ContextVariable<TraceContext | undefined>();
