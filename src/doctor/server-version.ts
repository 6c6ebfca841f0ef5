/** The major and minor version of a server. */
type ServerVersion = readonly [major: number, minor: number];

/** The first two numbers in a version such as `10.11.6-MariaDB`; 0.0 if there are none. */
export function parseVersion(text: string): ServerVersion {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(text) ?? [];
  return [Number(major ?? 0), Number(minor ?? 0)];
}

export const isAtLeast = (version: ServerVersion, oldest: ServerVersion): boolean =>
  version[0] > oldest[0] || (version[0] === oldest[0] && version[1] >= oldest[1]);
