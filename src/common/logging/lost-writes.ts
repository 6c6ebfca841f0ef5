let lost = 0;
let isSurviving = false;

/** The number of writes to standard output and standard error that have failed. */
export const lostWrites = (): number => lost;

/**
 * Lets this process go on if its log cannot be written, because the disk is full or the reader of the pipe has ended.
 * Otherwise the first line that is lost would end it. Only for the service itself: a host application decides about its
 * own streams, and a command ends when nobody reads its output.
 */
export function surviveLostWrites(): void {
  if (isSurviving) return;
  isSurviving = true;
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', () => {
      lost += 1;
    });
}
