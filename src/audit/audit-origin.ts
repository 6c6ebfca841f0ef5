import { ContextVariable } from '../common/context/context-variable';

/** The origins of changes that an operator makes without a request. */
export const AUDIT_ORIGINS = ['provisioning', 'import', 'shell'] as const;

export type AuditOrigin = (typeof AUDIT_ORIGINS)[number];

const origin = new ContextVariable<AuditOrigin>();

/** Prefixes the actions of entries that `work` records with the origin, as in `provisioning.relayer.create`. */
export const recordedAs = <T>(name: AuditOrigin, work: () => T): T => origin.run(name, work);

/** The name of an action, prefixed with its origin. */
export function actionName(action: string): string {
  const name = origin.get();
  return name === undefined ? action : `${name}.${action}`;
}
