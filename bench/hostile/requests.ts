/**
 * Measures how long hostile typed data and hostile JSON block the service's event loop: one request at a time, and
 * medium-sized ones 32 at a time, with nothing else running. Each round starts a new service, in order to include the
 * first time of each request.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import { hostileTypedData } from '../../test/support/typed-data/hostile';
import { printTable, writeJson } from '../report';
import { summary, type Summary } from '../rounds';
import { BenchedService } from '../service';

const LOOP_WATCH = join(__dirname, '../loop-watch.cjs');
const MAX_BODY = 1024 * 1024;
const MAX_ITEMS = 1000;
const AT_ONCE = 32;
/** Small enough that 32 at a time stay within the request timeout. */
const MIDDLING_BODY = 64 * 1024;
const TIMES = 4;

interface HostileRequest {
  title: string;
  path: string;
  body: string;
  method?: 'PATCH';
  atOnce?: number;
}

/** Results of the rounds, in milliseconds. */
interface Holds extends Summary {
  longest: number;
}

const fields = (length: number): string => Array.from({ length }, (_, i) => `"f${i}":${i}`).join();

const list = (length: number, make: (index: number) => string): string =>
  `[${Array.from({ length }, (_, i) => make(i)).join()}]`;

const JSON_BODIES: HostileRequest[] = [
  { title: 'JSON of 340 000 objects', body: `[${'{},'.repeat(340_000)}{}]` },
  { title: 'JSON of 500 000 levels', body: '['.repeat(500_000) + ']'.repeat(500_000) },
  { title: 'JSON of 70 000 fields', body: `{${fields(70_000)}}` },
  { title: 'JSON of 5 objects of 9 990 fields', body: list(5, () => `{${fields(9_990)}}`) },
  {
    title: 'JSON of 24 990 objects of 9 900 shapes',
    body: list(24_990, (i) => `{"a${i % 11}":1,"b${i % 900}":1}`),
  },
  { title: 'JSON of 99 000 lists', body: list(99_000, () => '[]') },
].map((hostile) => ({ ...hostile, path: '/sign-typed-data' }));

const DTO_BODIES: HostileRequest[] = [
  { title: 'DTO with 1 200 unknown fields', path: '/sign', body: `{${fields(1_200)}}` },
  {
    title: 'DTO with a list of 19 900 objects',
    method: 'PATCH',
    path: '',
    body: `{"custom_rpc_urls":${list(19_900, () => '{}')}}`,
  },
  {
    title: 'DTO with a list of 2 000 objects',
    method: 'PATCH',
    path: '',
    body: `{"custom_rpc_urls":${list(2_000, () => '{"url":"a"}')}}`,
  },
];

/** Each case by itself, and in a batch as often as it fits. */
function typedDataRequests(): HostileRequest[] {
  return hostileTypedData().flatMap(({ title, data }) => {
    const item = JSON.stringify(data);
    const fitting = Math.min(MAX_ITEMS, Math.floor((MAX_BODY - 20) / (item.length + 1)));
    const alone = { title, path: '/sign-typed-data', body: item };
    const batch = {
      title: `batch of ${fitting}: ${title}`,
      path: '/sign-typed-data/batch',
      body: `{"items":[${Array(fitting).fill(item).join()}]}`,
    };
    const atOnce = { ...alone, title: `${AT_ONCE} at once: ${title}`, atOnce: AT_ONCE };
    return [alone, ...(fitting > 1 ? [batch] : []), ...(item.length <= MIDDLING_BODY ? [atOnce] : [])];
  });
}

/**
 * @returns the longest time for which the event loop was blocked during the request, or `atOnce` concurrent ones, in
 * milliseconds
 */
async function holdOf(
  { process: { child }, url, relayerIds, headers }: BenchedService,
  { path, body, method, atOnce = 1 }: HostileRequest,
): Promise<number> {
  const longestHold = async (): Promise<number> => {
    child.send('longest');
    const [milliseconds] = (await once(child, 'message')) as [number];
    return milliseconds;
  };
  await longestHold();
  const ask = async (number: number): Promise<void> => {
    const relayer = `${url}/api/v1/relayers/${relayerIds[number % relayerIds.length]!}`;
    const response = await fetch(relayer + path, { method: method ?? 'POST', headers, body });
    await response.arrayBuffer();
    if (response.status >= 500) throw new Error(`${response.status} for ${body.slice(0, 100)}`);
  };
  await Promise.all(Array.from({ length: atOnce }, (_, number) => ask(number)));
  return longestHold();
}

export async function hostile({ rounds }: { rounds: number }): Promise<void> {
  const cases = [...typedDataRequests(), ...JSON_BODIES, ...DTO_BODIES].map((request) => ({
    ...request,
    first: [] as number[],
    later: [] as number[],
  }));
  for (let round = 1; round <= rounds; round += 1) {
    console.log(`round ${round} of ${rounds}`);
    const service = await BenchedService.create({ preload: LOOP_WATCH });
    try {
      for (let time = 0; time < TIMES; time += 1) {
        for (const each of cases) (time === 0 ? each.first : each.later).push(await holdOf(service, each));
      }
    } finally {
      await service.destroy();
    }
  }
  const rows = cases.map(({ title, first, later }) => ({
    title,
    first: { ...summary(first, Math.min), longest: Math.max(...first) },
    later: { ...summary(later, Math.min), longest: Math.max(...later) },
  }));
  rows.sort((a, b) => b.later.median - a.later.median);
  const all = ({ best, median, longest }: Holds): string =>
    [best, median, longest].map((ms) => ms.toFixed(1)).join(' / ');
  printTable(
    rows.map(({ title, first, later }) => ({
      'ms of the event loop, best / median / longest': title,
      'first time': all(first),
      later: all(later),
    })),
  );
  const longest = (figures: (row: (typeof rows)[number]) => number): number => Math.max(...rows.map(figures));
  console.log(
    `\nlongest median: ${longest(({ first }) => first.median).toFixed(1)} the first time, ${longest(({ later }) => later.median).toFixed(1)} later`,
  );
  console.log(
    `longest of all: ${longest(({ first, later }) => Math.max(first.longest, later.longest)).toFixed(1)}`,
  );
  writeJson('hostile', { rounds, rows });
}
