import '../../../test/support/key-services/error-realms';
import { DomainError } from '../../common/errors/domain-error';
import { optionalPackage } from './optional-package';

const MISSING = 'a-package-that-nobody-installed';
const OPTIONAL = '@google-cloud/kms';

describe('optionalPackage', () => {
  it('returns the imported module', async () => {
    await expect(optionalPackage('ethers', () => import('ethers'))).resolves.toHaveProperty('SigningKey');
  });

  it.each([
    ['MODULE_NOT_FOUND', `Cannot find module '${OPTIONAL}'`],
    ['ERR_MODULE_NOT_FOUND', `Cannot find package '${OPTIONAL}' imported from /app/dist/main.js`],
  ])('names the package to install after %s', async (code, message) => {
    const load = () => Promise.reject(Object.assign(new Error(message), { code }));
    const error = await optionalPackage(OPTIONAL, load).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      // The next major version requires Node 22.
      detail: `this kind of signer needs the package ${OPTIONAL}: npm install --save-prod ${OPTIONAL}@^5.7.0`,
    });
  });

  it('refuses the request if the package is not installed', async () => {
    const name: string = MISSING;
    await expect(optionalPackage(name, () => import(name))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('rethrows an error from inside the package itself', async () => {
    const error = Object.assign(new Error(`Cannot find module 'one-of-its-parts'`), {
      code: 'MODULE_NOT_FOUND',
    });
    await expect(optionalPackage(MISSING, () => Promise.reject(error))).rejects.toBe(error);
  });
});
