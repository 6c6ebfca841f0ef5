/** Faults of the way to a node, for calls of every method. `After` means that the node has processed the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Outcome, RpcCall, RpcError } from './fault';

/** The connection breaks before the call arrives. */
export const dropBefore = (): Fault => instead('drop before', 'drop');

/** The connection breaks while the response is on its way. */
export const dropAfter = (): Fault => after('drop after', 'drop');

/** Nothing arrives and nothing comes back. */
export const hang = (): Fault => instead('hang', 'hang');

/** The call arrives, its response never does. */
export const hangAfter = (): Fault => after('hang after', 'hang');

/** A gateway responds in place of the node. */
export const httpBefore = (status: number): Fault => instead(`HTTP ${status} before`, { status });

/** A gateway has passed the call on and gives up waiting for the response. */
export const httpAfter = (status: number): Fault => after(`HTTP ${status} after`, { status });

/** The node refuses the call. */
export const errorInstead = (error: RpcError): Fault => instead(`error instead: ${error.message}`, { error });

/** The node processes the call and says that it did not. */
export const errorAfter = (error: RpcError): Fault => after(`error after: ${error.message}`, { error });

/** The call arrives late. */
export const delay = (milliseconds: number): Fault => ({
  name: 'delay',
  apply: async (_call, forward) => {
    await sleep(milliseconds);
    return forward();
  },
});

/** Whatever the script returns; the calls for which it returns undefined are left to other faults and to the node. */
export const scripted = (script: (call: RpcCall) => Outcome | undefined): Fault => ({
  name: 'script',
  apply: (call) => script(call),
});

const instead = (name: string, outcome: Outcome): Fault => ({ name, apply: () => outcome });

const after = (name: string, outcome: Outcome): Fault => ({
  name,
  apply: async (_call, forward) => {
    await forward();
    return outcome;
  },
});
