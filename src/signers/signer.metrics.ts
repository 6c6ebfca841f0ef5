import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { EngineName } from './secp256k1/secp256k1-engine';
import { SIGNER_FAILURE_REASONS, SignerFailure } from './signer-failure';

const SECONDS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5];

/** Duration and outcome of signing, by kind of signer. */
@Injectable()
export class SignerMetrics {
  private readonly signatures: Counter<'kind' | 'outcome'>;
  private readonly openings: Counter<'kind' | 'outcome'>;
  private readonly duration: Histogram<'kind'>;
  private readonly engine: Gauge<'engine'>;
  private readonly open: Gauge<'kind'>;

  constructor(registry: Registry) {
    this.signatures = new Counter({
      name: 'signatures_total',
      help: 'Signatures by kind of signer; outcome is success, failure, or how its key service failed',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    this.openings = new Counter({
      name: 'signer_openings_total',
      help: 'New signers that were opened and had to sign; outcomes as of signatures_total',
      labelNames: ['kind', 'outcome'],
      registers: [registry],
    });
    this.duration = new Histogram({
      name: 'signature_duration_seconds',
      help: 'Time a signer takes for one signature',
      labelNames: ['kind'],
      buckets: SECONDS,
      registers: [registry],
    });
    this.open = new Gauge({
      name: 'signers_open',
      help: 'Signers that this instance holds open, by kind: keys in memory, clients of key services',
      labelNames: ['kind'],
      registers: [registry],
    });
    this.engine = new Gauge({
      name: 'signing_engine_info',
      aggregator: 'max',
      help: '1 for the secp256k1 implementation of keys that this process holds: native or wasm',
      labelNames: ['engine'],
      registers: [registry],
    });
  }

  /** Counts open signers: 1 when one is opened, -1 when its provider is destroyed. */
  countOpen(kind: string, change: 1 | -1): void {
    this.open.inc({ kind }, change);
  }

  /** Sets the engine that this process signs with. */
  showEngine(engine: EngineName): void {
    this.engine.set({ engine }, 1);
  }

  /** Counts the outcome of testing a new signer: connecting, fetching its key, signing a challenge. */
  observeOpening<T>(kind: string, open: () => Promise<T>): Promise<T> {
    return counted(this.openings, kind, open);
  }

  /** Counts a signature that failed because its signer could not be opened. */
  countFailedOpening(kind: string, error: unknown): void {
    this.signatures.inc({ kind, outcome: outcomeOf(error) });
  }

  /** Starts the counters of a kind at zero, so that the first failure is visible as an increase. */
  showKind(kind: string): void {
    for (const outcome of ['success', 'failure', ...SIGNER_FAILURE_REASONS]) {
      this.signatures.inc({ kind, outcome }, 0);
      this.openings.inc({ kind, outcome }, 0);
    }
  }

  /** Counts and times one signature. */
  async observe<T>(kind: string, sign: () => Promise<T>): Promise<T> {
    const stop = this.duration.startTimer({ kind });
    try {
      return await counted(this.signatures, kind, sign);
    } finally {
      stop();
    }
  }
}

async function counted<T>(
  counter: Counter<'kind' | 'outcome'>,
  kind: string,
  call: () => Promise<T>,
): Promise<T> {
  try {
    const result = await call();
    counter.inc({ kind, outcome: 'success' });
    return result;
  } catch (error) {
    counter.inc({ kind, outcome: outcomeOf(error) });
    throw error;
  }
}

/** The label under which a signer's failure is counted. */
export function outcomeOf(error: unknown): string {
  return error instanceof SignerFailure ? error.reason : 'failure';
}
