import { LineBuffer } from './line-buffer';

const wait = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('LineBuffer', () => {
  let written: string[];
  let buffer: LineBuffer;

  beforeEach(() => {
    written = [];
    buffer = new LineBuffer((lines) => written.push(lines));
  });

  it('writes lines together and in order', async () => {
    buffer.add('a');
    buffer.add('b');
    expect(written).toEqual([]);
    await wait();
    expect(written).toEqual(['a\nb\n']);
    buffer.add('c');
    await wait();
    expect(written).toEqual(['a\nb\n', 'c\n']);
  });

  it('writes immediately when flushed, and each line only once', async () => {
    buffer.add('a');
    buffer.flush();
    buffer.flush();
    await wait();
    expect(written).toEqual(['a\n']);
  });

  it('writes immediately once it holds 64 KiB', () => {
    buffer.add('x'.repeat(64 * 1024 - 2));
    expect(written).toEqual([]);
    buffer.add('y');
    expect(written).toHaveLength(1);
  });
});
