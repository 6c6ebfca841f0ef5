import type { Finding, FindingStatus } from './finding';

const WIDTH = 'problem'.length + 2;

/** One line for each finding, followed by its advice, and a summary. */
export function reportAsText(findings: readonly Finding[]): string {
  const column = Math.max(...findings.map(({ check }) => check.length)) + 2;
  const indent = ' '.repeat(WIDTH + column);
  const lines = findings.flatMap(({ check, status, detail, advice }) => [
    `${status.padEnd(WIDTH)}${check.padEnd(column)}${detail}`,
    ...(advice === undefined ? [] : [`${indent}→ ${advice}`]),
  ]);
  return [...lines, '', summaryOf(findings)].join('\n');
}

/** `{version, healthy, findings: [{check, status, detail, advice?}]}` on one line. */
export function reportAsJson(findings: readonly Finding[], version: string): string {
  return JSON.stringify({ version, healthy: count(findings, 'problem') === 0, findings });
}

function summaryOf(findings: readonly Finding[]): string {
  const [problems, warnings] = [count(findings, 'problem'), count(findings, 'warning')];
  if (problems === 0 && warnings === 0) return 'No problems found.';
  return `${plural(problems, 'problem')}, ${plural(warnings, 'warning')}.`;
}

const plural = (number: number, word: string): string => `${number} ${word}${number === 1 ? '' : 's'}`;

const count = (findings: readonly Finding[], wanted: FindingStatus): number =>
  findings.filter(({ status }) => status === wanted).length;
