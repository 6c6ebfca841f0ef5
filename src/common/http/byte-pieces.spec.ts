import { BytePieces } from './byte-pieces';

describe('BytePieces', () => {
  const bytes = Buffer.from('0123456789');
  const inPieces = (...sizes: number[]): BytePieces => {
    let start = 0;
    return new BytePieces(sizes.map((size) => bytes.subarray(start, (start += size))));
  };

  it.each([[10], [1, 9], [3, 3, 4], [0, 5, 0, 5], [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]])(
    'are sliced like a single buffer, for pieces of %j bytes and so on',
    (...sizes) => {
      const pieces = inPieces(...sizes);
      expect([pieces.length, pieces.toString()]).toEqual([10, '0123456789']);
      for (let start = 0; start <= 10; start += 1)
        for (let end = start; end <= 10; end += 1)
          expect(pieces.slice(start, end).toString()).toBe('0123456789'.slice(start, end));
    },
  );

  it('share memory with their slices', () => {
    const [piece] = inPieces(4, 6).slice(5, 7).pieces;
    expect(piece?.buffer).toBe(bytes.buffer);
  });

  it('decode a character that spans two pieces', () => {
    const euro = Buffer.from('€');
    expect(new BytePieces([euro.subarray(0, 1), euro.subarray(1)]).toString()).toBe('€');
  });
});
