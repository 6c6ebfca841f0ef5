import '../../../test/support/key-services/error-realms';
import { DomainError } from '../../common/errors/domain-error';
import { optionalPackage } from './optional-package';

const MISSING = 'a-package-that-nobody-installed';

describe('optionalPackage', () => {
  it('gives what was imported', async () => {
    await expect(optionalPackage('ethers', () => import('ethers'))).resolves.toHaveProperty('SigningKey');
  });

  it.each([
    ['MODULE_NOT_FOUND', `Cannot find module '${MISSING}'`],
    ['ERR_MODULE_NOT_FOUND', `Cannot find package '${MISSING}' imported from /app/dist/main.js`],
  ])('says what to install after %s', async (code, message) => {
    const load = () => Promise.reject(Object.assign(new Error(message), { code }));
    const error = await optionalPackage(MISSING, load).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(DomainError);
    expect(error).toMatchObject({
      code: 'invalid_request',
      detail: `this kind of signer needs the package ${MISSING}: npm install --save-prod ${MISSING}`,
    });
  });

  it('says so for a package that is really not there', async () => {
    const name: string = MISSING;
    await expect(optionalPackage(name, () => import(name))).rejects.toMatchObject({
      code: 'invalid_request',
    });
  });

  it('does not hide that the package itself is broken', async () => {
    const error = Object.assign(new Error(`Cannot find module 'one-of-its-parts'`), {
      code: 'MODULE_NOT_FOUND',
    });
    await expect(optionalPackage(MISSING, () => Promise.reject(error))).rejects.toBe(error);
  });
});
