import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, PrivateServer } from './private-servers';
import { findProgram } from './promtool';

const program = findProgram('prometheus');

/** Declares a suite that needs Prometheus itself. Without it, the suite is skipped. */
export const describeWithPrometheus = program || process.env.TEST_REQUIRE_SERVERS ? describe : describe.skip;

/** A result of a query: one element of its vector. */
export interface Sample {
  metric: Record<string, string>;
  value: [time: number, value: string];
}

/** A Prometheus with a configuration of its own. */
export class PrivatePrometheus extends PrivateServer {
  private constructor(port: number) {
    super('Prometheus', port);
  }

  /** @param files its configuration, `prometheus.yml`, and files that this names */
  static async create(files: Readonly<Record<string, string>>): Promise<PrivatePrometheus> {
    const server = new PrivatePrometheus(await freePort());
    return server.begin(() => {
      for (const [name, text] of Object.entries(files)) writeFileSync(join(server.folder, name), text);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  /** @throws Error with the message of Prometheus if the expression is wrong */
  async query(expression: string): Promise<Sample[]> {
    const { result } = await this.api<{ result: Sample[] }>(`query?query=${encodeURIComponent(expression)}`);
    return result;
  }

  /** @param path without `/api/v1/` */
  async api<T>(path: string): Promise<T> {
    const response = await fetch(`${this.url}/api/v1/${path}`);
    const body = (await response.json()) as { status: string; data: T; error?: string };
    if (body.status !== 'success') throw new Error(`${path}: ${body.error}`);
    return body.data;
  }

  protected command(): [string, ...string[]] {
    return [
      program ?? 'prometheus',
      `--config.file=${join(this.folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(this.folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${this.port}`,
    ];
  }

  protected async ping(): Promise<void> {
    const { ok } = await fetch(`${this.url}/-/ready`);
    if (!ok) throw new Error('Prometheus is not ready');
  }
}
