import { allowsMethod, isSharedRead, methodClass } from './rpc-methods';

describe('allowsMethod', () => {
  it.each([
    ['eth_blockNumber', true],
    ['eth_call', true],
    ['eth_estimateGas', true],
    ['eth_getBalance', true],
    ['eth_getLogs', true],
    ['eth_getTransactionReceipt', true],
    ['net_version', true],
    ['web3_sha3', true],
    ['eth_sendRawTransaction', false],
    ['eth_sendTransaction', false],
    ['eth_sign', false],
    ['eth_signTransaction', false],
    ['eth_subscribe', false],
    ['eth_newFilter', false],
    ['personal_unlockAccount', false],
    ['admin_peers', false],
    ['debug_traceTransaction', false],
    ['txpool_content', false],
    ['miner_start', false],
    ['anvil_setBalance', false],
    ['evm_mine', false],
    ['read', false],
    ['eth_Call', false],
    ['ETH_CALL', false],
    ['eth_call ', false],
    ['eth_callMany', false],
    ['toString', false],
    ['__proto__', false],
  ])('allows %s by default: %j', (method, allowed) => {
    expect(allowsMethod(null, method)).toBe(allowed);
  });

  it.each([
    [[], 'eth_call', false],
    [['eth_call'], 'eth_call', true],
    [['eth_call'], 'eth_getLogs', false],
    [['eth_call'], 'eth_cal', false],
    [['eth_sendRawTransaction'], 'eth_call', false],
    [['read', 'eth_sendRawTransaction'], 'eth_sendRawTransaction', true],
    [['read', 'eth_sendRawTransaction'], 'eth_call', true],
    [['read', 'eth_sendRawTransaction'], 'debug_traceCall', false],
    [['debug_traceCall'], 'debug_traceCall', true],
  ])('with the list %j allows %s: %j', (list, method, allowed) => {
    expect(allowsMethod(list, method)).toBe(allowed);
  });
});

describe('methodClass', () => {
  it.each([
    ['eth_getBalance', 'read', true],
    ['eth_call', 'call', true],
    ['eth_simulateV1', 'call', true],
    ['eth_getLogs', 'logs', true],
    ['eth_sendRawTransaction', 'send', false],
    ['debug_traceCall', 'other', false],
    ['a method of the caller’s own', 'other', false],
    ['constructor', 'other', false],
  ])('classifies %s as %s; shared: %j', (method, name, shared) => {
    expect([methodClass(method), isSharedRead(method)]).toEqual([name, shared]);
  });
});
