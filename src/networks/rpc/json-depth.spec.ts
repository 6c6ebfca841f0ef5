import { nestsDeeperThan } from './json-depth';

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);

describe('nestsDeeperThan', () => {
  it.each([
    [3, '[[[1]]]', false],
    [3, '[[[[]]]]', true],
    [3, '{"a":{"b":{"c":1}}}', false],
    [3, '{"a":{"b":{"c":{}}}}', true],
    [3, '[{"a":[1]},{"a":[2]},[[3]],[[4]]]', false],
    [3, '["[[[[[[[[", "]]]]]]]]"]', false],
    [3, '["\\"[[[[[[[["]', false],
    [3, '["\\\\",[[[[]]]]]', true],
    [3, '{"[[[[":"}}}}","]]]]":"{{{{"}', false],
    [1, '[1,2,3,4,5,"é"]', false],
    [4096, nested('[', ']', 4096), false],
    [4096, nested('[', ']', 4097), true],
    [4096, nested('{"a":[', ']}', 2049), true],
  ])('%d: %s is %j', (max, text, deeper) => {
    expect(nestsDeeperThan(max, Buffer.from(text))).toBe(deeper);
  });
});
