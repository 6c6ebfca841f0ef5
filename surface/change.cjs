const { inc, parse } = require('semver');

/** What a change of the surface takes: `major` where a line is gone, `minor` where lines were only added, otherwise `none`. */
function changeOf(before, after) {
  for (const line of before.lines) if (!after.lines.has(line)) return 'major';
  return after.lines.size > before.lines.size ? 'minor' : 'none';
}

/** Why a version does not cover a change of the surface; undefined where it does. */
function faultOf(before, after) {
  const change = changeOf(before, after);
  const [old, now] = [parse(before.version), parse(after.version)];
  const isCovered =
    change === 'none' ||
    now.major > old.major ||
    (change === 'minor' && now.major === old.major && now.minor > old.minor);
  if (isCovered) return undefined;
  const removed = [...before.lines].filter((line) => !after.lines.has(line)).map((line) => `- ${line}`);
  const added = [...after.lines].filter((line) => !before.lines.has(line)).map((line) => `+ ${line}`);
  return [
    `The public surface has changed since version ${before.version}, and the version is ${after.version}: it takes ${inc(before.version, change)}`,
    ...[...removed, ...added].slice(0, 20),
  ].join('\n');
}

module.exports = { changeOf, faultOf };
