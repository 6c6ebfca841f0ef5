const layers = require('./layers.json');

/**
 * A layer that contains other layers, as `chains` contains `chains/rpc`, consists only of the files directly in its
 * folder.
 */
const isParent = (folder) =>
  layers.some(({ folders }) => folders.some((other) => other.startsWith(`${folder}/`)));

/** A regular expression that matches the files of some folders. */
const filesIn = (folders) =>
  `^src/(${folders.map((folder) => (isParent(folder) ? `${folder}/[^/]+$` : `${folder}/`)).join('|')})`;

const ALL = filesIn(layers.flatMap(({ folders }) => folders));
const UNIT = '\\.spec\\.ts$';

/** A folder may import itself and the layers below. Everything else in `src` is forbidden. */
const closedFolders = layers.flatMap(({ folders }, index) =>
  folders.map((folder) => ({
    name: `${folder.replace('/', '-')}-imports-lower-layers-only`,
    severity: 'error',
    from: { path: filesIn([folder]), pathNot: UNIT },
    to: {
      path: '^src/',
      pathNot: filesIn([folder, ...layers.slice(0, index).flatMap((lower) => lower.folders)]),
    },
  })),
);

/** Files in a folder that `layers.json` does not name may neither import nor be imported. */
const unknownFolders = [
  { from: { path: '^src/.+/', pathNot: ALL }, to: {} },
  { from: {}, to: { path: '^src/.+/', pathNot: ALL } },
].map((rule) => ({ name: 'every-folder-has-a-layer', severity: 'error', ...rule }));

module.exports = { layers, layerRules: [...closedFolders, ...unknownFolders] };
