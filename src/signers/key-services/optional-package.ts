import { invalidRequest } from '../../common/errors/domain-error';

/**
 * Loads the client package of a vendor, which is installed only where signers of that vendor are used.
 *
 * @param name of the package
 * @param load imports it: the name must be literal there, for the compiler and for those who search for it
 * @throws DomainError `invalid_request` that says what to install
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    // It is among the development packages too: without --save-prod, npm leaves it out of a production tree.
    throw invalidRequest(`this kind of signer needs the package ${name}: npm install --save-prod ${name}`);
  }
}

/** Missing is the package itself; when a part of it is missing, the installation is broken and the error tells more. */
function isMissing(error: unknown, name: string): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND') &&
    error.message.includes(`'${name}'`)
  );
}
