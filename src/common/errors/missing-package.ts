/**
 * Whether an import failed because the package itself is not installed; if a part of it is missing, the installation is broken
 * and the error says more.
 *
 * @param name of the package, or how it begins
 */
export const isPackageMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
  error.message.includes(`'${name}`);
