/** Enough memory that V8 gives its young generation a reasonable size of its own accord. */
const ENOUGH_HEAP_BYTES = 2 * 1024 ** 3;
const OPTION = /(^|\s)--(max|min)[-_]semi[-_]space[-_]size\b/;

/**
 * A warning if V8's young generation is small: in a container of 512 MiB, V8 collects it so often that a signature costs
 * twice the CPU time (docs/adr/0049).
 *
 * @param heapBytes the limit of V8's heap
 * @param options the options of Node, including those of `NODE_OPTIONS`
 */
export function youngGenerationWarning(heapBytes: number, options: readonly string[]): string | undefined {
  if (heapBytes >= ENOUGH_HEAP_BYTES || options.some((option) => OPTION.test(option))) return undefined;
  return 'Node runs with little memory and without --max-semi-space-size=32: garbage collections take much of its time';
}
