const HEADER = `# The public surface

What \`relayer-management-service\` exports, for [plugins and host applications](../extending.md). Written by \`npm run surface\`; a
change of it takes a new version: a removed or changed line the next major version, an added line the next minor one.
`;

const FENCE = '```';

/** The page of a surface. */
function writePage(version, { exported, others }) {
  const section = ([name, text]) => `### ${name}\n\n${FENCE}ts\n${text}\n${FENCE}\n`;
  return [
    HEADER,
    `Version ${version}\n`,
    '## Exports\n',
    ...[...exported].map(section),
    '## Types that they refer to\n',
    'They cannot be imported, and change by the same rule.\n',
    ...[...others].map(section),
  ].join('\n');
}

/**
 * The version and the lines of a page, each with the name of its declaration.
 *
 * @returns {{ version: string, lines: Set<string> }}
 */
function readPage(page) {
  const [, version] = /^Version (\S+)$/m.exec(page) ?? [];
  if (version === undefined) throw new Error('The page of the public surface names no version');
  const lines = new Set();
  for (const [, name, text] of page.matchAll(/^### (.+)\n\n```ts\n([\s\S]*?)\n```$/gm))
    for (const line of text.split('\n')) if (/\w/.test(line)) lines.add(`${name}: ${line.trim()}`);
  return { version, lines };
}

module.exports = { writePage, readPage };
