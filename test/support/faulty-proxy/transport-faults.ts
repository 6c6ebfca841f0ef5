/** Faults on the way to a node, for calls of every method. `After` means that the node has processed the call. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Outcome, RpcCall, RpcError } from './fault';

/** The connection breaks before the call arrives. */
export const dropBefore = (): Fault => instead('drop before', 'drop');

/** The connection breaks while the response is on its way. */
export const dropAfter = (): Fault => after('drop after', 'drop');

/** Neither call nor response arrives. */
export const hang = (): Fault => instead('hang', 'hang');

/** The call arrives, but its response never does. */
export const hangAfter = (): Fault => after('hang after', 'hang');

/** A gateway responds instead of the node. */
export const httpBefore = (status: number): Fault => instead(`HTTP ${status} before`, { status });

/** A gateway has forwarded the call, and gives up waiting for the response. */
export const httpAfter = (status: number): Fault => after(`HTTP ${status} after`, { status });

/** The node refuses the call. */
export const errorInstead = (error: RpcError): Fault => instead(`error instead: ${error.message}`, { error });

/** The node processes the call, but reports an error. */
export const errorAfter = (error: RpcError): Fault => after(`error after: ${error.message}`, { error });

/** The call arrives late. */
export const delay = (milliseconds: number): Fault => ({
  name: 'delay',
  apply: async (_call, forward) => {
    await sleep(milliseconds);
    return forward();
  },
});

/** Applies the result of the script. If it is undefined, the call is left to other faults and the node. */
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
