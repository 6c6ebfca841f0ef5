import { invalidRequest } from '../../common/errors/domain-error';
import { isPackageMissing } from '../../common/errors/missing-package';
import { peerPackages } from '../../common/peer-packages';

/**
 * Loads a vendor's client package, which is installed only if signers of that vendor are used.
 *
 * @param name name of the package
 * @param load imports it; the specifier must be a literal, for the compiler and for text search
 * @throws DomainError `invalid_request` with the command that installs it
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!isPackageMissing(error, `${name}'`)) throw error;
    // The package is also a development dependency: without --save-prod, npm omits it from a production installation.
    throw invalidRequest(
      `this kind of signer needs the package ${name}: npm install --save-prod ${peerPackages(name)}`,
    );
  }
}
