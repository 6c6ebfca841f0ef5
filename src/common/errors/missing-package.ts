/**
 * Whether an import failed because the package itself is not installed. If only a part of it is missing, the
 * installation is broken, and the error says more.
 *
 * @param name the name of the package, or its beginning
 */
export const isPackageMissing = (error: unknown, name: string): boolean =>
  error instanceof Error &&
  'code' in error &&
  (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
  error.message.includes(`'${name}`);
