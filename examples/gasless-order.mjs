// Restricts a relayer to signing orders on one exchange, for two tokens, up to a limit and not below a price, and signs
// one.
// Whoever fills the order pays the gas.
import { verifyTypedData } from 'ethers';
import { ForbiddenError } from '../client/dist/esm/index.js';
import { client } from './connect.mjs';

const relayer_id = process.env.RELAYER_ID ?? 'demo';
const relayer = client.relayer(relayer_id);
const { address: maker } = await relayer.get();

const domain = {
  name: 'Exchange',
  version: '2',
  chainId: Number(process.env.CHAIN_ID ?? 1337),
  verifyingContract: '0x9008D19f58AAbD9eD0D60971565AA8510560ab41',
};
const types = {
  Order: [
    { name: 'maker', type: 'address' },
    { name: 'sellToken', type: 'address' },
    { name: 'buyToken', type: 'address' },
    { name: 'sellAmount', type: 'uint256' },
    { name: 'buyAmount', type: 'uint256' },
    { name: 'validTo', type: 'uint32' },
    { name: 'salt', type: 'uint256' },
  ],
};
const order = {
  maker,
  sellToken: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48',
  buyToken: '0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2',
  sellAmount: 1_000_000_000n,
  buyAmount: 300_000_000_000_000_000n,
  validTo: Math.floor(Date.now() / 1000) + 600,
  salt: BigInt(Date.now()),
};

// From now on the relayer signs nothing else: no other contract, no hashes, no messages, no transactions.
const allowed = [
  {
    chain_id: domain.chainId,
    verifying_contract: domain.verifyingContract,
    primary_type: 'Order',
    fields: {
      maker,
      sellToken: order.sellToken,
      buyToken: order.buyToken,
      sellAmount: { max: '1000000000' },
      buyAmount: { min: '300000000000000000' },
    },
  },
];
await client.patch('/api/v1/relayers/{relayer_id}', {
  path: { relayer_id },
  body: { policies: { typed_data: { allowed } } },
});

const sign = (message) => relayer.signTypedData({ domain, types, primaryType: 'Order', message });

const { sig } = await sign(order);
const signedBy = verifyTypedData(domain, types, order, `0x${sig}`);
if (signedBy !== maker) throw new Error(`signed by ${signedBy}`);
console.log(`Order of ${maker}, to be sent to the exchange with the signature 0x${sig}`);

const refused = [
  ['Above the limit', { sellAmount: order.sellAmount + 1n }],
  ['Below the price', { buyAmount: order.buyAmount - 1n }],
];
for (const [what, change] of refused) {
  try {
    await sign({ ...order, ...change });
  } catch (error) {
    if (!(error instanceof ForbiddenError)) throw error;
    console.log(`${what}: ${error.error}`);
    continue;
  }
  throw new Error(`${what}, and it was signed`);
}
