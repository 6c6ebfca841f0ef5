/**
 * Small contracts, assembled by hand. Each line contains the bytes, the operations and, in brackets, the stack
 * afterwards, with the top last.
 */
import { assembled } from './bytecode';

/**
 * Counts executions, in total (slot 0) and for each id (slot NOT id), and emits `Executed(uint256 indexed id)`:
 *
 * ```solidity
 * function execute(uint256 id) external
 * function executions(uint256 id) external view returns (uint256)
 * ```
 */
export const COUNTER = assembled(`
  6004 35            ; PUSH1 4, CALLDATALOAD                  [id]
  19 80 54           ; NOT, DUP1, SLOAD                       [slot count]
  5f 35 60e0 1c      ; PUSH0, CALLDATALOAD, PUSH1 224, SHR    [slot count selector]
  63fe0d94c1 14      ; PUSH4 execute(uint256), EQ             [slot count isExecute]
  601a 57            ; PUSH1 26, JUMPI                        [slot count]
  5f 52              ; PUSH0, MSTORE                          [slot]
  6020 5f f3         ; PUSH1 32, PUSH0, RETURN
  5b                 ; 26: JUMPDEST                           [slot count]
  6001 01 90 55      ; PUSH1 1, ADD, SWAP1, SSTORE            []
  5f 54 6001 01      ; PUSH0, SLOAD, PUSH1 1, ADD             [total + 1]
  5f 55              ; PUSH0, SSTORE                          []
  6004 35            ; PUSH1 4, CALLDATALOAD                  [id]
  7fbcf6a68a2f901be4a23a41b53acd7697893a7e34def4e28acba584da75283b67 ; PUSH32 Executed(uint256)
  5f 5f a2 00        ; PUSH0, PUSH0, LOG2, STOP`);

/** Reverts with the data that follows the selector, whatever the selector is. `RevertData` has suitable data. */
export const REVERTER = assembled(`
  6004 36 03         ; PUSH1 4, CALLDATASIZE, SUB             [length]
  80 6004 5f 37      ; DUP1, PUSH1 4, PUSH0, CALLDATACOPY     [length]
  5f fd              ; PUSH0, REVERT`);

/**
 * Succeeds, counting its executions in slot 1, until `arm(1)` is called; from then on it reverts with the data that
 * follows the selector, until `arm(0)`. If it is armed between simulation and block, by anybody or with
 * `Anvil.setStorage`, it reverts only on the chain.
 *
 * ```solidity
 * function arm(uint256 armed) external
 * ```
 */
export const REVERTS_WHEN_ARMED = assembled(`
  5f 35 60e0 1c      ; PUSH0, CALLDATALOAD, PUSH1 224, SHR    [selector]
  6320c69c89 14      ; PUSH4 arm(uint256), EQ                 [isArm]
  601d 57            ; PUSH1 29, JUMPI                        []
  5f 54 6024 57      ; PUSH0, SLOAD, PUSH1 36, JUMPI          []
  6001 54 6001 01    ; PUSH1 1, SLOAD, PUSH1 1, ADD           [successes + 1]
  6001 55 00         ; PUSH1 1, SSTORE, STOP
  5b                 ; 29: JUMPDEST                           []
  6004 35 5f 55 00   ; PUSH1 4, CALLDATALOAD, PUSH0, SSTORE, STOP
  5b                 ; 36: JUMPDEST                           []
  6004 36 03         ; PUSH1 4, CALLDATASIZE, SUB             [length]
  80 6004 5f 37      ; DUP1, PUSH1 4, PUSH0, CALLDATACOPY     [length]
  5f fd              ; PUSH0, REVERT`);

/**
 * Reverts with the data that follows the selector if gas has a price: in every block, and in a simulation that
 * specifies one. A simulation without a price succeeds.
 */
export const REVERTS_WHEN_MINED = assembled(`
  3a 6005 57 00      ; GASPRICE, PUSH1 5, JUMPI, STOP
  5b                 ; 5: JUMPDEST                            []
  6004 36 03         ; PUSH1 4, CALLDATASIZE, SUB             [length]
  80 6004 5f 37      ; DUP1, PUSH1 4, PUSH0, CALLDATACOPY     [length]
  5f fd              ; PUSH0, REVERT`);

/** Uses 40 gas for each round: `function burn(uint256 rounds) external` */
export const GAS_BURNER = assembled(`
  6004 35            ; PUSH1 4, CALLDATALOAD                  [rounds]
  5b                 ; 3: JUMPDEST                            [rounds]
  80 15 6010 57      ; DUP1, ISZERO, PUSH1 16, JUMPI          [rounds]
  6001 90 03         ; PUSH1 1, SWAP1, SUB                    [rounds - 1]
  6003 56            ; PUSH1 3, JUMP
  5b 00              ; 16: JUMPDEST, STOP`);
