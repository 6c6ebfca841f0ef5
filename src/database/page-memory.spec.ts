import { currentRequest, runWithRequest } from '../common/http/request-context';
import { PageMemory } from './page-memory';

const MEBIBYTE = 1024 * 1024;

describe('PageMemory', () => {
  let memory: PageMemory;

  beforeEach(() => {
    memory = new PageMemory();
  });

  /** Reserves memory in a request. @returns a function that ends the request */
  const reserve = (keyId: string, bytes: number, isOver = false): (() => void) => {
    let end: (() => void) | undefined;
    runWithRequest('id', () => {
      const request = currentRequest()!;
      Object.assign(request, { keyId, isOver });
      memory.reserve(bytes);
      end = () => (request.isOver = true);
    });
    return end!;
  };

  it('leaves half of the memory to others until the requests of a key are over', () => {
    const end = reserve('key', 32 * MEBIBYTE);
    const refusal = expect.objectContaining({
      code: 'overloaded',
      detail: 'too many large pages of this API key are being sent; see Retry-After',
    });
    expect(() => reserve('key', MEBIBYTE)).toThrow(refusal);
    reserve('key', 65_535);
    reserve('other', 16 * MEBIBYTE);
    reserve('root', 16 * MEBIBYTE);
    expect(() => reserve('root', MEBIBYTE)).toThrow(
      expect.objectContaining({ detail: 'too many large pages are being sent; see Retry-After' }),
    );
    end();
    reserve('key', 16 * MEBIBYTE);
  });

  it('refuses a request that is over, and counts nothing outside of requests', () => {
    expect(() => reserve('key', MEBIBYTE, true)).toThrow(expect.objectContaining({ code: 'unavailable' }));
    for (let i = 0; i < 10; i += 1) memory.reserve(16 * MEBIBYTE);
    reserve('key', 32 * MEBIBYTE);
  });
});
