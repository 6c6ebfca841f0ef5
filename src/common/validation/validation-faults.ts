import type { ValidationError } from 'class-validator';
import { shown } from './json-object';

const MAX_FAULTS = 10;

/**
 * Describes the faults that class-validator found, in one clause per field with its full path
 * (`custom_rpc_urls[1].weight must not be greater than 100`). Values are never included.
 *
 * @param prefix the path of the validated object in the request, for example `policies`
 */
export function describeFaults(errors: ValidationError[], prefix = ''): string {
  const faults = listFaults(errors, prefix);
  const first = faults.slice(0, MAX_FAULTS).join('; ');
  return faults.length > MAX_FAULTS ? `${first}; and ${faults.length - MAX_FAULTS} more` : first;
}

/** The faults as a list, see {@link describeFaults}. */
export function listFaults(errors: ValidationError[], prefix = ''): string[] {
  return errors.flatMap((error) => collect(error, prefix));
}

function collect(error: ValidationError, parent: string): string[] {
  const path = join(parent, shown(error.property));
  const own = Object.entries(error.constraints ?? {}).map(([rule, text]) =>
    clause(path, error.property, rule, text),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => collect(child, path))];
}

function join(parent: string, name: string): string {
  if (parent === '') return name;
  return /^\d+$/.test(name) ? `${parent}[${name}]` : `${parent}.${name}`;
}

/** Messages of class-validator contain only the property name, usually at the beginning. */
function clause(path: string, property: string, rule: string, text: string): string {
  if (rule === 'whitelistValidation') return `${path} is not a known field`;
  const words = text.split(' ');
  const named = words.indexOf(property);
  return named === -1 ? `${path} ${text}` : words.with(named, path).join(' ');
}
