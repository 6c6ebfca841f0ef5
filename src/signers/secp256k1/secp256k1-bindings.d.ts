/** The entry of the package `secp256k1` that contains only the addon. */
declare module 'secp256k1/bindings.js' {
  const bindings: typeof import('secp256k1');
  export = bindings;
}
