/** Compares all subjects and engines with the bare server, and measures the latency at half the load that saturates. */
import { loadEngines } from './engines';
import type { Subject, Target } from './load';
import { rowMacs } from './row-macs';
import { both, machine, printTable, ratioTo, rowOf, writeJson } from './report';
import type { Latency } from './steady';
import { latencyAt, type LatencySample, MOST_STOLEN, undisturbed } from './half-load';
import {
  type Extent,
  type Figures,
  type Place,
  measureInRounds,
  summarise,
  summary,
  type Summary,
} from './rounds';
import { BATCH_SUBJECT, HASHES_SUBJECT, SUBJECTS } from './subjects';

interface NamedPlace extends Place {
  name: string;
}

interface HalfLoad {
  rate: number;
  ours: LatencySample[];
  bare: LatencySample[];
}

/** @param services `sqlite` is stopped before the latency is measured */
export async function compare(
  services: { mysql: Target; sqlite: Target & { destroy: () => Promise<void> }; bare: Target },
  extent: Extent,
): Promise<void> {
  const { mysql, sqlite, bare } = services;
  console.log(Object.values(machine()).join(', '));
  const ceiling: NamedPlace = {
    target: bare,
    name: 'bare node:http',
    subject: bareSubject(mysql),
    samples: [],
  };
  const places = [ceiling, ...placesOf('MySQL', mysql, extent), ...placesOf('SQLite', sqlite, extent)];
  const engines = loadedEngines();
  await measureInRounds(places, extent, engines);
  const results = new Map(places.map(({ name, samples }) => [name, summarise(samples)]));
  const figuresOf = (name: string): Figures => results.get(name)!;
  const bareFigures = figuresOf(ceiling.name);
  printTable(places.map(({ name }) => rowOf(name, figuresOf(name), bareFigures)));

  const engineResults = engines.map(({ name, samples }) => ({ name, ...summary(samples, Math.max) }));
  printTable(engineResults.map((engine) => ({ engine: engine.name, 'signatures/s of CPU': both(engine) })));

  // After some idle seconds it would collect garbage and disturb the following measurement.
  await sqlite.destroy();
  const byHashes = places.find(({ name }) => name === `MySQL, ${HASHES_SUBJECT.name}`);
  const half = byHashes && (await latencyAtHalfLoad(byHashes, ceiling, extent));
  const macs = await rowMacs({
    rounds: extent.rounds,
    seconds: extent.seconds / 10,
    ...(byHashes && { requestMicroseconds: figuresOf(byHashes.name).cpuMicroseconds.best }),
  });
  const targets = {
    byHashesOfBare: byHashes && ratioTo(figuresOf(byHashes.name), bareFigures),
    batchOfEngine: batchRatio(results.get(`MySQL, ${BATCH_SUBJECT.name}`), engineResults[0]),
    atHalfLoad: half,
  };
  printTargets(targets);
  writeJson('compare', {
    extent,
    results: Object.fromEntries(results),
    engines: engineResults,
    macs,
    targets,
  });
}

function placesOf(database: string, target: Target, { only }: Extent): NamedPlace[] {
  return SUBJECTS.filter(({ name }) => name.includes(only)).map((subject) => ({
    target,
    name: `${database}, ${subject.name}`,
    subject,
    samples: [],
  }));
}

/** The same request for the bare server, which ignores its content. */
function bareSubject(service: Target): Subject {
  const requests = HASHES_SUBJECT.requests(service);
  return { ...HASHES_SUBJECT, requests: () => requests };
}

function loadedEngines(): { name: string; sign: (digest: Buffer) => unknown; samples: number[] }[] {
  const engines = loadEngines();
  for (const { name, missing } of engines) if (missing) console.log(`absent: ${name}: ${missing}`);
  return engines.flatMap(({ name, sign }) => (sign ? [{ name, sign, samples: [] }] : []));
}

/**
 * The latency at half the rate that the rounds reached, and that of the bare server, which is the share of machine and
 * client.
 */
async function latencyAtHalfLoad(place: Place, ceiling: Place, extent: Extent): Promise<HalfLoad> {
  const rate = Math.round(summarise(place.samples).requestsPerSecond.median / 2);
  const [ours = [], bare = []] = await latencyAt(rate, [place, ceiling], extent);
  return { rate, ours, bare };
}

/** Signatures per second of CPU time of the service in batches, relative to the native engine alone. */
function batchRatio(figures: Figures | undefined, engine?: Summary & { name: string }): Summary | undefined {
  if (!figures || engine?.name !== 'libsecp256k1, native') return undefined;
  const perCpuSecond = (cpuMicroseconds: number): number =>
    (1e6 / cpuMicroseconds) * BATCH_SUBJECT.signatures;
  return {
    best: perCpuSecond(figures.cpuMicroseconds.best) / engine.best,
    median: perCpuSecond(figures.cpuMicroseconds.median) / engine.median,
  };
}

function printTargets({
  byHashesOfBare,
  batchOfEngine,
  atHalfLoad,
}: {
  byHashesOfBare: Summary | undefined;
  batchOfEngine: Summary | undefined;
  atHalfLoad: HalfLoad | undefined;
}): void {
  const line = (what: string, figures: Summary | undefined, digits: number): void => {
    console.log(`${what}: ${figures ? both(figures, digits) : 'not measured'}`);
  };
  console.log('\nbest / median of the rounds');
  line('CPU time per request, bare over sign by hashes (MySQL)', byHashesOfBare, 3);
  line('signatures per CPU second, batch over native engine', batchOfEngine, 2);
  if (atHalfLoad) printLatency(atHalfLoad);
}

function printLatency({ rate, ours, bare }: HalfLoad): void {
  const line = (what: string, samples: LatencySample[], figure: keyof Latency): void => {
    const figures = samples.map((sample) => sample[figure]);
    console.log(`${what}: ${figures.length > 0 ? both(summary(figures, Math.min), 1) : 'not measured'}`);
  };
  const quiet = undisturbed(ours);
  console.log(`\nat ${rate} requests/s, half of saturation, p99 in ms`);
  const isKnown = ours.every(({ stolen }) => stolen !== undefined);
  const rule = isKnown
    ? `of whose CPU time the host took at most ${MOST_STOLEN * 100} %`
    : 'regardless of the CPU time that the host took, which is unknown here';
  line(`in ${quiet.length} of ${ours.length} rounds, ${rule}`, quiet, 'p99');
  line('  from the moment at which requests were due', quiet, 'p99FromDue');
  line('  of bare, in such rounds', undisturbed(bare), 'p99');
  line('in all rounds', ours, 'p99');
  if (!isKnown) return;
  const rounds = ours.map(({ p99, stolen = 0 }) => `${p99.toFixed(1)} (${(stolen * 100).toFixed(1)} %)`);
  console.log(`each round, and what the host took: ${rounds.join(', ')}`);
}
