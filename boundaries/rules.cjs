const layers = require('./layers.json');

/** A layer that has layers of its own inside, as `chains` has `chains/rpc`, is only the files directly in its folder. */
const isParent = (folder) =>
  layers.some(({ folders }) => folders.some((other) => other.startsWith(`${folder}/`)));

/** The files of some folders, as a regular expression. */
const filesIn = (folders) =>
  `^src/(${folders.map((folder) => (isParent(folder) ? `${folder}/[^/]+$` : `${folder}/`)).join('|')})`;

const ALL = filesIn(layers.flatMap(({ folders }) => folders));
const UNIT = '\\.(spec|contract)\\.ts$';

/** What a folder may import: itself and the layers below. Everything else in `src` is forbidden. */
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

/** Files of a folder that `layers.json` does not name: forbidden to import, and to be imported. */
const unknownFolders = [
  { from: { path: '^src/.+/', pathNot: ALL }, to: {} },
  { from: {}, to: { path: '^src/.+/', pathNot: ALL } },
].map((rule) => ({ name: 'every-folder-has-a-layer', severity: 'error', ...rule }));

module.exports = { layers, layerRules: [...closedFolders, ...unknownFolders] };
