// Confirms a transaction of a Safe that is owned by the relayer, among others.
import { getAddress, TypedDataEncoder, verifyTypedData, ZeroAddress } from 'ethers';
import { client } from './connect.mjs';

const relayer = client.relayer(process.env.RELAYER_ID ?? 'demo');
const { address: owner } = await relayer.get();

// From version 1.3.0 on, a Safe's domain contains chain and address, but no name.
const safe = getAddress(process.env.SAFE ?? '0x41675C099F32341bf84BFc5382aF534df5C7461a');
const domain = { chainId: Number(process.env.CHAIN_ID ?? 1337), verifyingContract: safe };
const types = {
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
};
// Sends 0.1 ether from the Safe. The nonce is nonce() of the Safe.
const transaction = {
  to: '0x3535353535353535353535353535353535353535',
  value: 100_000_000_000_000_000n,
  data: '0x',
  operation: 0,
  safeTxGas: 0n,
  baseGas: 0n,
  gasPrice: 0n,
  gasToken: ZeroAddress,
  refundReceiver: ZeroAddress,
  nonce: 0n,
};

const body = { domain, types, primaryType: 'SafeTx', message: transaction };
const { sig, digest } = await relayer.signTypedData(body);

// The service returns the digest that it signed: the hash by which the Safe and its services know the transaction.
const safeTxHash = TypedDataEncoder.hash(domain, types, transaction);
if (`0x${digest}` !== safeTxHash) throw new Error(`0x${digest} was signed`);
const signedBy = verifyTypedData(domain, types, transaction, `0x${sig}`);
if (signedBy !== owner) throw new Error(`signed by ${signedBy}`);
console.log(`${owner} confirms ${safeTxHash}`);
// v is 27 or 28, which the Safe accepts as an EIP-712 signature. Signatures of several owners are concatenated in the
// order of their addresses.
console.log(`signature 0x${sig}`);
