import { ResponseBody } from './response-body';
import { ResponseBuffers } from './response-buffers';

const KIBIBYTE = 1024;
const ORIGIN = 'node.test:443';

describe('ResponseBody', () => {
  let buffers: ResponseBuffers;
  const release = (origin: string, taken: Buffer[]): void => {
    buffers.handOver(origin, taken.length);
    buffers.reuse(taken);
  };

  beforeEach(() => {
    buffers = new ResponseBuffers();
  });

  /** A body received in pieces of this size; each byte differs from its neighbours. */
  const read = (length: number, pieceBytes: number): [ResponseBody, Buffer] => {
    const content = Buffer.from(Array.from({ length }, (_, i) => (i * 31 + (i >> 8)) % 251));
    const body = new ResponseBody(ORIGIN, 1024 * KIBIBYTE, buffers);
    for (let start = 0; start < length; start += pieceBytes)
      expect(body.append(content.subarray(start, start + pieceBytes))).toBe(true);
    return [body, content];
  };

  it.each([
    [0, 1],
    [1, 1],
    [1000, 1],
    [65_536, 100],
    [65_537, 65_537],
    [200_000, 1000],
    [700_001, 65_536],
  ])('returns the received content: %d bytes in pieces of %d', (length, pieceBytes) => {
    const [body, content] = read(length, pieceBytes);
    expect(body.room).toBe(1024 * KIBIBYTE - length);
    expect(body.pieces.toBuffer().equals(content)).toBe(true);
    expect(body.pieces.pieces.length).toBeLessThan(25);
  });

  it('passes its buffers to the next body only once it is released', () => {
    const [first] = read(600 * KIBIBYTE, 65_536);
    const [second, content] = read(600 * KIBIBYTE, 65_536);
    const memoryOf = (body: ResponseBody) => new Set(body.pieces.pieces.map(({ buffer }) => buffer));
    const used = memoryOf(first);
    expect([...memoryOf(second)].some((memory) => used.has(memory))).toBe(false);
    first.release();
    first.release();
    const [third] = read(600 * KIBIBYTE, 65_536);
    expect([...memoryOf(third)].some((memory) => used.has(memory))).toBe(true);
    expect(second.pieces.toBuffer().equals(content)).toBe(true);
  });

  it('gets no memory beyond 12 MiB per origin or 16 MiB in total until some is released', () => {
    const taken = Array.from({ length: 48 }, () => buffers.take(ORIGIN)!);
    expect(buffers.take(ORIGIN)).toBeUndefined();
    const others = Array.from({ length: 16 }, () => buffers.take('other')!);
    expect(buffers.take('third')).toBeUndefined();
    release('other', others);
    expect(buffers.take('third')).toBeDefined();
    expect(buffers.take(ORIGIN)).toBeUndefined();
    release(ORIGIN, taken);
    expect(buffers.take(ORIGIN)).toBeDefined();
  });

  it('no longer counts once it is handed over, but remains valid until it is released', () => {
    const content = Buffer.alloc(12 * 1024 * KIBIBYTE, 'x');
    const first = new ResponseBody(ORIGIN, content.length, buffers);
    expect(first.append(content)).toBe(true);
    expect(buffers.take(ORIGIN)).toBeUndefined();
    first.handOver();
    first.handOver();
    const second = new ResponseBody(ORIGIN, content.length, buffers);
    expect(second.append(Buffer.alloc(content.length, 'y'))).toBe(true);
    expect(buffers.take(ORIGIN)).toBeUndefined();
    expect(first.pieces.toBuffer().equals(content)).toBe(true);
    first.release();
    expect(buffers.take(ORIGIN)).toBeUndefined();
    second.release();
    expect(buffers.take(ORIGIN)).toBeDefined();
  });
});
