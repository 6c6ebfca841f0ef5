import { invalidRequest } from '../../common/errors/domain-error';
import { isPackageMissing } from '../../common/errors/missing-package';
import { peerPackages } from '../../common/peer-packages';

/**
 * Loads the client package of a vendor, which is installed only where signers of that vendor are used.
 *
 * @param name of the package
 * @param load imports it: its specifier must be literal, for the compiler and for text search
 * @throws DomainError `invalid_request` that says what to install
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isPackageMissing(error, `${name}'`)) throw error;
    // It is also a development dependency: without --save-prod, npm omits it from a production installation.
    throw invalidRequest(
      `this kind of signer needs the package ${name}: npm install --save-prod ${peerPackages(name)}`,
    );
  }
}
