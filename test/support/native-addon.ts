/** Suites of the addon are skipped if the package has no build for this platform, unless nothing may be skipped. */
export const describeWithAddon = hasAddon() || process.env.TEST_REQUIRE_SERVERS ? describe : describe.skip;

function hasAddon(): boolean {
  try {
    jest.requireActual('secp256k1/bindings.js');
    return true;
  } catch {
    return false;
  }
}
