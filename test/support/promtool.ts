import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const UNPACKED = join(__dirname, '../../build/tools/prometheus/usr/bin/promtool');

function find(): string | undefined {
  if (existsSync(UNPACKED)) return UNPACKED;
  return spawnSync('promtool', ['--version']).status === 0 ? 'promtool' : undefined;
}

const promtool = find();

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
