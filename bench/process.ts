/** Child processes that are measured: their CPU time and memory, as reported by the operating system. */
import { type ChildProcess, execFileSync, spawn, type StdioOptions } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Linux reports CPU time in hundredths of a second (USER_HZ), on every architecture. */
const TICKS_PER_SECOND = 100;

/** The CPU time, user and system, that all threads of a process have used so far, in seconds. */
export function cpuSeconds(pid: number): number {
  if (!existsSync('/proc/self/stat')) return secondsOf(ps('time', pid));
  // The second field is the name in parentheses, which may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop()!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/**
 * The share of the CPU time requested on this machine while `work` ran that its host gave to others (steal time).
 * Undefined if the system does not report it.
 */
export async function stolenDuring<T>(work: () => Promise<T>): Promise<{ result: T; stolen?: number }> {
  const before = cpuTimes();
  const result = await work();
  const after = cpuTimes();
  if (!before || !after) return { result };
  const stolen = after.stolen - before.stolen;
  const wanted = after.used - before.used + stolen;
  return wanted > 0 ? { result, stolen: stolen / wanted } : { result };
}

/** Totals over all cores, in ticks. */
function cpuTimes(): { used: number; stolen: number } | undefined {
  if (!existsSync('/proc/stat')) return undefined;
  const [user = NaN, nice = NaN, system = NaN, , , irq = NaN, softirq = NaN, stolen = NaN] = readFileSync(
    '/proc/stat',
    'utf8',
  )
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return { used: user + nice + system + irq + softirq, stolen };
}

/** Resident memory in MiB. */
export function residentMegabytes(pid: number): number {
  if (!existsSync('/proc/self/status')) return Number(ps('rss', pid)) / 1024;
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024;
}

function ps(column: string, pid: number): string {
  return execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
}

/** `1:02.34` and `01:02:03` */
function secondsOf(time: string): number {
  return time.split(':').reduce<number>((seconds, part) => seconds * 60 + Number(part), 0);
}

export interface Running {
  child: ChildProcess;
  pid: number;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  stop: () => Promise<void>;
}

/** Runs a Node program until `stop`. Its output goes to the file descriptor `output`. */
export function start(program: string[], env: NodeJS.ProcessEnv, output: number | 'inherit'): Running {
  const stdio: StdioOptions = ['ignore', output, output, 'ipc'];
  const child = spawn(process.execPath, program, {
    env: { PATH: process.env.PATH, ...env },
    stdio,
  });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => {
      resolve();
    });
  });
  return {
    child,
    pid: child.pid!,
    ended,
    stop: () => {
      child.kill('SIGTERM');
      return ended;
    },
  };
}
