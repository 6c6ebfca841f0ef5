/** Call data for the test contracts, in 0x hex. */
import { AbiCoder, id, Interface } from 'ethers';

const CONTRACTS = new Interface([
  'function execute(uint256 id)',
  'function executions(uint256 id) view returns (uint256)',
  'function arm(uint256 armed)',
  'function burn(uint256 rounds)',
]);

/** For `COUNTER`. */
export const execute = (request: number): string => CONTRACTS.encodeFunctionData('execute', [request]);
/** For `COUNTER`. */
export const executions = (request: number): string => CONTRACTS.encodeFunctionData('executions', [request]);
/** For `REVERTS_WHEN_ARMED`. */
export const arm = (armed: boolean): string => CONTRACTS.encodeFunctionData('arm', [armed ? 1 : 0]);
/** For `GAS_BURNER`. */
export const burn = (rounds: number): string => CONTRACTS.encodeFunctionData('burn', [rounds]);
/** For `REVERTER` and similar contracts: a call to which they respond with this data. */
export const revertingWith = (data: string): string => selectorOf('run()') + data.slice(2);

/** Data that contracts may revert with. */
export const RevertData = {
  /** `revert("text")` */
  error: (text: string): string => encoded('Error(string)', ['string'], [text]),
  /** Inserted by the compiler: 0x11 for an overflow. */
  panic: (code: number): string => encoded('Panic(uint256)', ['uint256'], [code]),
  /** `error InsufficientBalance(uint256 available, uint256 required)` */
  custom: (available: number, required: number): string =>
    encoded('InsufficientBalance(uint256,uint256)', ['uint256', 'uint256'], [available, required]),
  nothing: '0x',
};

function encoded(signature: string, types: string[], values: unknown[]): string {
  return selectorOf(signature) + AbiCoder.defaultAbiCoder().encode(types, values).slice(2);
}

const selectorOf = (signature: string): string => id(signature).slice(0, 10);
