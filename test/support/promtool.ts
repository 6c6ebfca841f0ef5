import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const UNPACKED = join(__dirname, '../../build/tools/prometheus/usr/bin');

/** A program of Prometheus: the one that `.ci/run` unpacks, or the one on the `PATH`. */
export function findProgram(name: 'prometheus' | 'promtool'): string | undefined {
  const unpacked = join(UNPACKED, name);
  if (existsSync(unpacked)) return unpacked;
  return spawnSync(name, ['--version']).status === 0 ? name : undefined;
}

const promtool = findProgram('promtool');

/**
 * Declares a suite that needs promtool: the one on the `PATH`, or the one that `.ci/run` unpacks. Without it, the suite
 * is skipped.
 */
export const describeWithPromtool = promtool || process.env.TEST_REQUIRE_SERVERS ? describe : describe.skip;

/** @returns the output of promtool; empty if it finds no faults */
export function checkWithPromtool(args: readonly string[], input = ''): string {
  if (promtool === undefined) throw new Error('promtool is not installed');
  const { status, stdout, stderr } = spawnSync(promtool, args, { input, encoding: 'utf8' });
  return status === 0 ? '' : stdout + stderr;
}
