import { Injectable } from '@nestjs/common';
import { ConfigService } from '@nestjs/config';
import { Subject } from 'rxjs';
import { recall } from '../../common/set-newest';
import type { AppConfig } from '../../config/app-config';

/** This many consecutive failures are not a coincidence. */
const THRESHOLD = 3;
const MAX_RELAYERS = 10_000;

interface Streak {
  failures: number;
  toldAt: number;
}

/** Counts the consecutive failures of each relayer's calls to the chain. */
@Injectable()
export class FailingCalls {
  /** Emits ids of relayers whose calls keep failing, each at most once in a while. */
  readonly persistent = new Subject<string>();
  private readonly streaks = new Map<string, Streak>();
  private readonly earlyMs: number;

  constructor(config: ConfigService<AppConfig, true>) {
    this.earlyMs = config.get('relayerChecks', { infer: true }).earlyMs;
  }

  succeeded(relayerId: string): void {
    this.streaks.delete(relayerId);
  }

  failed(relayerId: string): void {
    const created = (): Streak => ({ failures: 0, toldAt: -Infinity });
    const streak = recall(this.streaks, relayerId, MAX_RELAYERS, created);
    streak.failures += 1;
    if (streak.failures < THRESHOLD || performance.now() - streak.toldAt < this.earlyMs) return;
    streak.toldAt = performance.now();
    this.persistent.next(relayerId);
  }
}
