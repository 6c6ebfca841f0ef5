// Signs a permit (ERC-2612) for 250 tokens, and prints the arguments of permit().
import { formatUnits, verifyTypedData } from 'ethers';
import { client } from './connect.mjs';

const relayer = client.relayer(process.env.RELAYER_ID ?? 'demo');
const { address: owner } = await relayer.get();

// The token's name, version, chain and address. The nonce is nonces(owner) of the token.
const domain = {
  name: 'Token',
  version: '1',
  chainId: Number(process.env.CHAIN_ID ?? 1337),
  verifyingContract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
};
const types = {
  Permit: [
    { name: 'owner', type: 'address' },
    { name: 'spender', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
};
const message = {
  owner,
  spender: '0x000000000022D473030F116dDEE9F6B43aC78BA3',
  value: 250_000_000n,
  nonce: 0n,
  deadline: BigInt(Math.floor(Date.now() / 1000) + 3600),
};

const { r, s, v, sig } = await relayer.signTypedData({ domain, types, primaryType: 'Permit', message });

// The token does the same before it grants the allowance.
const signedBy = verifyTypedData(domain, types, message, `0x${sig}`);
if (signedBy !== owner) throw new Error(`signed by ${signedBy}`);
console.log(`${owner} permits ${message.spender} to spend ${formatUnits(message.value, 6)}`);
const values = [owner, message.spender, message.value, message.deadline, v, `0x${r}`, `0x${s}`];
console.log(`permit(${values.join(', ')})`);
