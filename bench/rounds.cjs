/** Rounds over all subjects in turn, so that a machine that slows down for a minute slows all of them down. */
const { load } = require('./load.cjs');
const { signaturesPerSecond } = require('./engines.cjs');

/**
 * @param places `{target, subject}`s; the samples of each are appended to its `samples`
 * @param engines likewise `{sign}`s
 */
async function runRounds(places, engines, { rounds, seconds, onRound }) {
  for (let round = 1; round <= rounds; round += 1) {
    onRound(round);
    for (const { target, subject, samples } of places) {
      samples.push(await load(target, subject, { duration: seconds }));
    }
    for (const { sign, samples } of engines) samples.push(signaturesPerSecond(sign, seconds / 4));
  }
}

/** The best of the rounds and the one in the middle; `best` picks among two numbers. */
function summary(numbers, best) {
  const sorted = numbers.toSorted((a, b) => a - b);
  return { best: best(...numbers), median: sorted[Math.floor(sorted.length / 2)] };
}

/** Samples of the rounds by figure: `{best, median}` each. */
function summarise(samples) {
  const of = (figure, best) =>
    summary(
      samples.map((sample) => sample[figure]),
      best,
    );
  return {
    requestsPerSecond: of('requestsPerSecond', Math.max),
    signaturesPerSecond: of('signaturesPerSecond', Math.max),
    cpuMicroseconds: of('cpuMicroseconds', Math.min),
    p50: of('p50', Math.min),
    p99: of('p99', Math.min),
    rss: of('rss', Math.min),
  };
}

module.exports = { runRounds, summarise, summary };
