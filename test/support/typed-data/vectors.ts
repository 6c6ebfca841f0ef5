import type { RawTypedData } from '../../../src/chains/evm/typed-data/typed-data';

export interface Vector {
  title: string;
  data: RawTypedData;
  /** The signed digest, with `0x`. */
  digest: string;
}

const ADDRESSES = {
  cow: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
  cowWallet: '0xDeaDbeefdEAdbeefdEadbEEFdeadbeEFdEaDbeeF',
  bob: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB',
  bobWallet: '0xB0BdaBea57B0BDABeA57b0bdABEA57b0BDabEa57',
  spender: '0x0000000000000000000000000000000000000B0b',
};
const DOMAIN_TYPE = [
  { name: 'name', type: 'string' },
  { name: 'version', type: 'string' },
  { name: 'chainId', type: 'uint256' },
  { name: 'verifyingContract', type: 'address' },
];
const MAIL_DOMAIN = {
  name: 'Ether Mail',
  version: '1',
  chainId: 1,
  verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
};

/** The EIP-712 example itself. */
export const MAIL: RawTypedData = {
  domain: MAIL_DOMAIN,
  types: {
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  message: {
    from: { name: 'Cow', wallet: ADDRESSES.cow },
    to: { name: 'Bob', wallet: ADDRESSES.bob },
    contents: 'Hello, Bob!',
  },
};
export const MAIL_DIGEST = '0xbe609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';

/** The first digest is published in EIP-712; the others were computed once with viem 2.57.1. */
export const VECTORS: Vector[] = [
  { title: 'the example of EIP-712', data: MAIL, digest: MAIL_DIGEST },
  {
    title: 'the same as wallets send it, with EIP712Domain and the chain id in hex',
    data: {
      ...MAIL,
      domain: { ...MAIL_DOMAIN, chainId: '0x1' },
      types: { EIP712Domain: DOMAIN_TYPE, ...(MAIL.types as object) },
    },
    digest: MAIL_DIGEST,
  },
  {
    title: 'a payload of version 4, with arrays of structs',
    data: {
      domain: MAIL_DOMAIN,
      types: {
        EIP712Domain: DOMAIN_TYPE,
        Person: [
          { name: 'name', type: 'string' },
          { name: 'wallets', type: 'address[]' },
        ],
        Group: [
          { name: 'name', type: 'string' },
          { name: 'members', type: 'Person[]' },
        ],
        Mail: [
          { name: 'from', type: 'Person' },
          { name: 'to', type: 'Person[]' },
          { name: 'groups', type: 'Group[2]' },
          { name: 'contents', type: 'string' },
        ],
      },
      primaryType: 'Mail',
      message: {
        from: { name: 'Cow', wallets: [ADDRESSES.cow, ADDRESSES.cowWallet] },
        to: [{ name: 'Bob', wallets: [ADDRESSES.bob, ADDRESSES.bobWallet] }],
        groups: [
          { name: 'Friends', members: [] },
          { name: 'Family', members: [{ name: 'Eve', wallets: [] }] },
        ],
        contents: 'Hello, Bob!',
      },
    },
    digest: '0x1a8af38792f071a917aa7916e8de75d116b2ed9c905422eb22840fffbc77d4ba',
  },
  {
    title: 'a permit of ERC-2612',
    data: {
      domain: {
        name: 'USD Coin',
        version: '2',
        chainId: 1,
        verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
      },
      types: {
        Permit: [
          { name: 'owner', type: 'address' },
          { name: 'spender', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'nonce', type: 'uint256' },
          { name: 'deadline', type: 'uint256' },
        ],
      },
      primaryType: 'Permit',
      message: {
        owner: ADDRESSES.cow,
        spender: ADDRESSES.spender,
        value: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
        nonce: 0,
        deadline: 1_900_000_000,
      },
    },
    digest: '0xcda888f53e2d38c6734c758c6b7b6a8f2171baf1042667eb59539bcdea46c6c3',
  },
  {
    title: 'a batch of Permit2',
    data: {
      domain: {
        name: 'Permit2',
        chainId: 1,
        verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
      },
      types: {
        PermitBatch: [
          { name: 'details', type: 'PermitDetails[]' },
          { name: 'spender', type: 'address' },
          { name: 'sigDeadline', type: 'uint256' },
        ],
        PermitDetails: [
          { name: 'token', type: 'address' },
          { name: 'amount', type: 'uint160' },
          { name: 'expiration', type: 'uint48' },
          { name: 'nonce', type: 'uint48' },
        ],
      },
      primaryType: 'PermitBatch',
      message: {
        details: [
          {
            token: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
            amount: '0xffffffffffffffffffffffffffffffffffffffff',
            expiration: 1_900_000_000,
            nonce: 7,
          },
        ],
        spender: ADDRESSES.spender,
        sigDeadline: '1900000000',
      },
    },
    digest: '0x51b1aa2c82663ee8d8531be76d6432337100eac191c9fae5a5b24556a3cd904c',
  },
  {
    title: 'a transaction of a Safe',
    data: {
      domain: { chainId: 11155111, verifyingContract: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762' },
      types: {
        SafeTx: [
          { name: 'to', type: 'address' },
          { name: 'value', type: 'uint256' },
          { name: 'data', type: 'bytes' },
          { name: 'operation', type: 'uint8' },
          { name: 'safeTxGas', type: 'uint256' },
          { name: 'baseGas', type: 'uint256' },
          { name: 'gasPrice', type: 'uint256' },
          { name: 'gasToken', type: 'address' },
          { name: 'refundReceiver', type: 'address' },
          { name: 'nonce', type: 'uint256' },
        ],
      },
      primaryType: 'SafeTx',
      message: {
        to: ADDRESSES.bob,
        value: '1000000000000000000',
        data: '0xa9059cbb',
        operation: 0,
        safeTxGas: 0,
        baseGas: 0,
        gasPrice: 0,
        gasToken: '0x0000000000000000000000000000000000000000',
        refundReceiver: '0x0000000000000000000000000000000000000000',
        nonce: 42,
      },
    },
    digest: '0x4c219902e0dcddcb8665de7bb794d328f920ed917574ff9f5d8be7c13bb5ed5f',
  },
];
