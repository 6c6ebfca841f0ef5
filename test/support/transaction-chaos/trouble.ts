/**
 * Faults on the way to a node whose responses are ultimately true: nothing here proves that a transaction was not sent.
 */
import {
  hiddenReceipts,
  hiddenTransactions,
  refuseAcceptedSends,
  refuseSends,
  shiftedNonces,
  staleHead,
  swallowSends,
} from '../faulty-proxy/chain-faults';
import type { RpcCall } from '../faulty-proxy/fault';
import type { When } from '../faulty-proxy/fault-rules';
import type { FaultyProxy } from '../faulty-proxy/faulty-proxy';
import {
  ALREADY_KNOWN,
  NONCE_TOO_LOW,
  POOL_FULL,
  REPLACEMENT_UNDERPRICED,
  UNDERPRICED,
} from '../faulty-proxy/node-wordings';
import {
  delay,
  dropAfter,
  dropBefore,
  errorInstead,
  hang,
  hangAfter,
  httpAfter,
  httpBefore,
} from '../faulty-proxy/transport-faults';

const RATE_LIMITED = { code: -32005, message: 'rate limit exceeded' };
const INTERNAL = { code: -32603, message: 'Internal error' };

/** If processes end during the first calls to an endpoint, it is not called for minutes; that is tested elsewhere. */
const NOT_THE_PROBE = ({ method }: RpcCall): boolean => method !== 'eth_chainId';

/** Makes about a sixth of all calls, and more than a third of those that send, fail until the proxy is cleared. */
export function trouble(proxy: FaultyProxy): void {
  addForSends(proxy);
  addForReads(proxy);
  proxy.add(dropBefore(), { chance: 0.02 });
  proxy.add(dropAfter(), { chance: 0.03 });
  proxy.add(httpBefore(502), { chance: 0.02 });
  proxy.add(httpAfter(504), { chance: 0.03 });
  proxy.add(errorInstead(RATE_LIMITED), { chance: 0.01 });
  proxy.add(errorInstead(INTERNAL), { chance: 0.01 });
  proxy.add(delay(300), { chance: 0.03, where: NOT_THE_PROBE });
  proxy.add(hang(), { chance: 0.002, where: NOT_THE_PROBE });
  proxy.add(hangAfter(), { chance: 0.002, where: NOT_THE_PROBE });
}

function addForSends(proxy: FaultyProxy): void {
  const addEach = (chance: number, faults: Parameters<FaultyProxy['add']>[0][]): void => {
    for (const fault of faults) proxy.add(fault, { chance: chance / faults.length });
  };
  addEach(0.06, [swallowSends()]);
  addEach(0.06, ALREADY_KNOWN.map(refuseAcceptedSends));
  addEach(0.04, NONCE_TOO_LOW.map(refuseSends));
  addEach(0.03, NONCE_TOO_LOW.map(refuseAcceptedSends));
  addEach(0.04, REPLACEMENT_UNDERPRICED.map(refuseSends));
  addEach(0.02, UNDERPRICED.map(refuseSends));
  addEach(0.02, POOL_FULL.map(refuseSends));
}

function addForReads(proxy: FaultyProxy): void {
  const forAWhile: When = { chance: 0.02, lastsMs: 1500 };
  proxy.add(shiftedNonces(-3), forAWhile);
  proxy.add(staleHead(3), forAWhile);
  proxy.add(hiddenReceipts(), forAWhile);
  proxy.add(hiddenTransactions(), forAWhile);
}
