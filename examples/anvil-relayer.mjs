// Creates the relayer "payer" on a local anvil, with the first of its funded development accounts.
import { ConflictError } from '../client/dist/esm/index.js';
import { client } from './connect.mjs';

const { ANVIL_URL: url = 'http://127.0.0.1:8545', CHAIN_ID = '31337' } = process.env;

const network = {
  ...{ name: 'anvil', network_type: 'evm', chain_id: Number(CHAIN_ID), rpc_urls: [{ url }] },
  ...{ features: ['eip1559'], is_testnet: true, required_confirmations: 1, average_blocktime_ms: 1000 },
};
// This key is public: anvil prints it when it starts.
const key = 'ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

await create('networks', network);
await create('signers', { id: 'payer', type: 'plain', config: { key } });
await create('relayers', {
  ...{ id: 'payer', name: 'Payer', network: 'anvil', network_type: 'evm', signer_id: 'payer' },
  paused: false,
});
const { address } = await client.relayer('payer').get();
console.log(`Relayer payer: ${address}`);

async function create(resource, body) {
  try {
    await client.post(`/api/v1/${resource}`, { body });
  } catch (error) {
    // It exists from an earlier run.
    if (!(error instanceof ConflictError)) throw error;
  }
}
