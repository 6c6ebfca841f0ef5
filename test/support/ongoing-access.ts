import { OngoingAccess } from '../../src/access/ongoing-access';

/** Calls `recheck` whenever the rights of an API key are read again. */
export const ongoingAccess = (recheck: () => void = () => undefined): OngoingAccess =>
  new OngoingAccess({ find: () => undefined, assertStillValid: () => Promise.resolve().then(recheck) });
