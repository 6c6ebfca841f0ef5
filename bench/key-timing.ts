/**
 * Measures whether the time of a refusal reveals that an API key exists: the id of a key with a wrong secret, and an
 * unknown id, in turn on one connection.
 */
import { Agent } from 'node:http';
import { newApiKeyId, newApiKeyText } from '../src/auth/api-keys/api-key-text';
import { send } from '../test/support/http';
import { PrivateMariaDb } from '../test/support/private-servers';
import { createDatabase } from './database';
import { BenchedService } from './service';

const PATH = '/api/v1/relayers';
const WARM_UP = 2000;

/** @param samples the number of samples of each kind */
export async function keyTiming({ samples }: { samples: number }): Promise<void> {
  const server = await PrivateMariaDb.create();
  try {
    for (const [name, database] of [
      ['SQLite', undefined],
      ['MySQL', await createDatabase(server)],
    ] as const) {
      const service = await BenchedService.create({}, database);
      try {
        await measure(name, service, samples);
      } finally {
        await service.destroy();
      }
    }
  } finally {
    await server.destroy();
  }
}

async function measure(name: string, service: BenchedService, samples: number): Promise<void> {
  const response = await fetch(`${service.url}/api/v1/api-keys`, {
    method: 'POST',
    headers: service.headers,
    body: JSON.stringify({ name: 'Timed', scopes: ['relayers:read'] }),
  });
  const { data } = (await response.json()) as { data: { id: string } };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const time = async (id: string): Promise<number> => {
    const authorization = `Bearer ${newApiKeyText(id).reveal()}`;
    const start = performance.now();
    const { status } = await send(service.url, { path: PATH, headers: { authorization } }, agent);
    if (status !== 401) throw new Error(`A wrong key got ${status}`);
    return (performance.now() - start) * 1000;
  };
  const known: number[] = [];
  const unknown: number[] = [];
  for (let i = -WARM_UP; i < samples; i += 1) {
    // The order alternates, so that neither always follows the other.
    const [first, second] = i % 2 === 0 ? [known, unknown] : [unknown, known];
    const taken = [];
    for (const kind of [first, second]) taken.push(await time(kind === known ? data.id : newApiKeyId()));
    if (i < 0) continue;
    first.push(taken[0] ?? NaN);
    second.push(taken[1] ?? NaN);
  }
  agent.destroy();
  const [a, b] = [quartilesOf(known), quartilesOf(unknown)];
  process.stdout.write(
    `${name}, ${samples} samples each, µs (quartiles): wrong secret ${a.join(' / ')}, unknown id ${b.join(' / ')}; ` +
      `medians differ by ${((a[1] ?? NaN) - (b[1] ?? NaN)).toFixed(1)}\n`,
  );
}

function quartilesOf(times: number[]): number[] {
  const sorted = times.toSorted((one, other) => one - other);
  return [0.25, 0.5, 0.75].map((share) =>
    Number((sorted[Math.floor(sorted.length * share)] ?? NaN).toFixed(1)),
  );
}
