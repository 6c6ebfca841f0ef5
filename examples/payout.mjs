// Pays each payout in a file exactly once, however often this is run and wherever it is interrupted.
import { readFileSync } from 'node:fs';
import { TransactionEndedError } from '../client/dist/esm/index.js';
import { client } from './connect.mjs';

const [, , file = 'examples/payouts.json'] = process.argv;
const payouts = JSON.parse(readFileSync(file, 'utf8'));
const relayer = client.relayer(process.env.RELAYER_ID ?? 'payer');

const results = await Promise.all(payouts.map(pay));
if (results.includes(false)) process.exitCode = 1;

/** Whether the payout was paid. If one cannot be paid, the others are not delayed. */
async function pay({ id, to, wei }) {
  try {
    // The same key with the same body is the same transaction: a repetition returns its record and sends nothing.
    const { id: transaction } = await relayer.sendTransaction(
      { to, value: wei, speed: 'fast', metadata: { payout: id } },
      { idempotencyKey: `payout-${id}` },
    );
    const { hash, nonce } = await relayer.waitFor(transaction, { timeoutMs: 300_000 });
    console.log(`${id}: paid, nonce ${nonce}, ${hash}`);
    return true;
  } catch (error) {
    // A transaction that has ended was not paid: another attempt needs a different key, and a person who checks the
    // reason.
    // After any other error, the next run continues with the same transaction.
    const outcome = error instanceof TransactionEndedError ? 'not paid' : 'not known to be paid';
    console.log(`${id}: ${outcome}, ${error.message}`);
    return false;
  }
}
