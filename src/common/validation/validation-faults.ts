import type { ValidationError } from 'class-validator';

const MAX_FAULTS = 10;
const MAX_SHOWN_NAME = 64;

/**
 * The faults that class-validator found, one clause per field with its whole path
 * (`custom_rpc_urls[1].weight must not be greater than 100`). No value is ever repeated.
 *
 * @param prefix path of the validated object inside the request, as in `policies`
 */
export function describeFaults(errors: ValidationError[], prefix = ''): string {
  const faults = listFaults(errors, prefix);
  const shown = faults.slice(0, MAX_FAULTS).join('; ');
  return faults.length > MAX_FAULTS ? `${shown}; and ${faults.length - MAX_FAULTS} more` : shown;
}

/** The faults one by one; see {@link describeFaults}. */
export function listFaults(errors: ValidationError[], prefix = ''): string[] {
  return errors.flatMap((error) => collect(error, prefix));
}

function collect(error: ValidationError, parent: string): string[] {
  const path = join(parent, error.property.slice(0, MAX_SHOWN_NAME));
  const own = Object.entries(error.constraints ?? {}).map(([rule, text]) =>
    clause(path, error.property, rule, text),
  );
  return [...own, ...(error.children ?? []).flatMap((child) => collect(child, path))];
}

function join(parent: string, name: string): string {
  if (parent === '') return name;
  return /^\d+$/.test(name) ? `${parent}[${name}]` : `${parent}.${name}`;
}

/** class-validator's texts begin with the bare property name or mention it after "in". */
function clause(path: string, property: string, rule: string, text: string): string {
  if (rule === 'whitelistValidation') return `${path} is not a known field`;
  if (text.startsWith(`${property} `)) return path + text.slice(property.length);
  return text.includes(` in ${property} `)
    ? text.replace(` in ${property} `, ` in ${path} `)
    : `${path} ${text}`;
}
