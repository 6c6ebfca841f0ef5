import type { RowIntegrity } from '../../database/integrity/row-integrity';
import { networkHasNoEndpoint } from '../../networks/network.errors';
import { RowAlteredError } from '../../database/integrity/row-altered.error';
import type { RelayersService } from '../../relayers/relayers.service';
import type { TransactionChains } from '../chains/transaction-chains';
import type { TransactionRows } from '../transaction-rows';
import { AccountLookup } from './account-lookup';
import type { LaneRows } from './lane-rows';
import { NoEndpointError } from './no-endpoint.error';

const LEDGER = { id: 'evm:10:0xA', networkType: 'evm', chainId: '10', address: '0xA', relayerId: 'r' };
const RELAYER = { id: 'r', networkType: 'evm', address: '0xA' };

/** Finds the account with the id of {@link LEDGER}. @returns what was found, and the ids that were reported */
async function find(given: {
  ledger?: object;
  /** The ledger when it is read again. */
  later?: object;
  relayer?: object | null;
  chainId?: string | null;
  isOpen?: boolean;
  /** Why the chain cannot be reached. */
  fails?: Error;
}) {
  const { ledger = {}, later = ledger, relayer = {}, chainId = '10', isOpen = true, fails } = given;
  const reported: string[] = [];
  const versions = [ledger, later].map((changes) => ({ ...LEDGER, ...changes }));
  const lookup = new AccountLookup(
    { find: () => Promise.resolve(versions.shift()) } as unknown as LaneRows,
    { repository: { existsBy: () => Promise.resolve(isOpen) } } as unknown as TransactionRows,
    {
      findForProcessing: () => Promise.resolve(relayer && { relayer: { ...RELAYER, ...relayer } }),
    } as unknown as RelayersService,
    {
      accessOf: ({ networkType }: typeof RELAYER) =>
        networkType === 'evm' && !fails
          ? Promise.resolve({ chain: 'chain', network: { chainId } })
          : Promise.reject(fails ?? new Error('not supported')),
    } as unknown as TransactionChains,
    {
      countAltered: () => undefined,
      reportAltered: (table: string, id: string) => reported.push(`${table} ${id}`),
    } as unknown as RowIntegrity,
  );
  const found = await lookup.find(LEDGER.id).catch((error: unknown) => error);
  return { found, reported };
}

describe('AccountLookup', () => {
  it('finds the relayer and the chain of an account', async () => {
    const found = { ledger: LEDGER, relayer: RELAYER, chain: 'chain' };
    expect(await find({})).toEqual({ found, reported: [] });
  });

  it('names the account of a relayer without an endpoint that may be used', async () => {
    const { found } = await find({ fails: networkHasNoEndpoint('evm:x') });
    expect(found).toBeInstanceOf(NoEndpointError);
    expect(found).toMatchObject({
      message: 'Network evm:x has no RPC endpoint',
      account: { ledger: LEDGER, relayer: RELAYER },
      isNew: true,
    });
    const other = new Error('the database does not respond');
    expect((await find({ fails: other })).found).toBe(other);
  });

  it('says once that an account has no endpoint, until it has one', async () => {
    const [unusable, usable] = [networkHasNoEndpoint('evm:x'), undefined];
    const outcomes = [unusable, unusable, usable, unusable];
    const lookup = new AccountLookup(
      { find: () => Promise.resolve(LEDGER) } as unknown as LaneRows,
      {} as TransactionRows,
      { findForProcessing: () => Promise.resolve({ relayer: RELAYER }) } as unknown as RelayersService,
      {
        accessOf: () => {
          const error = outcomes.shift();
          return error
            ? Promise.reject(error)
            : Promise.resolve({ chain: 'chain', network: { chainId: '10' } });
        },
      } as unknown as TransactionChains,
      { countAltered: () => undefined } as unknown as RowIntegrity,
    );
    const news: unknown[] = [];
    for (let i = 0; i < 4; i += 1) {
      const found = await lookup.find(LEDGER.id).catch((error: unknown) => error);
      news.push(found instanceof NoEndpointError ? found.isNew : 'found');
    }
    expect(news).toEqual([true, false, 'found', true]);
  });

  it.each([
    ['a relayer with another address', { relayer: { address: '0xB' } }],
    ['a relayer on another chain', { chainId: '1' }],
    ['a relayer on a network without a chain id', { chainId: null }],
    ['a relayer on a network of another type', { relayer: { networkType: 'solana' } }],
    ['a relayer that does not exist', { relayer: null }],
    ['another address, as its relayer', { ledger: { address: '0xB' }, relayer: { address: '0xB' } }],
    ['another chain id, as its relayer', { ledger: { chainId: '1' }, chainId: '1' }],
    ['another address', { ledger: { address: '0xB' } }],
    ['another chain id', { ledger: { chainId: '1' } }],
  ])('reports a ledger with open transactions that names %s', async (_what, given) => {
    const { found, reported } = await find(given);
    expect(found).toBeInstanceOf(RowAlteredError);
    expect(reported).toEqual(['account_nonces evm:10:0xA']);
    // Without open transactions, it is that of a deleted relayer, whose id another one may have now.
    expect(await find({ ...given, isOpen: false })).toEqual({ found: undefined, reported: [] });
  });

  it('reports nothing if another relayer of the account has just been given the ledger', async () => {
    const given = { relayer: null, later: { relayerId: 'new' } };
    expect(await find(given)).toEqual({ found: undefined, reported: [] });
  });
});
