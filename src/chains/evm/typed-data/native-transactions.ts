import { recall } from '../../../common/set-newest';
import { withoutPrefix } from '../without-prefix';
import { type DomainMember, domainSeparator } from './typed-data-domain';

/** The members of a domain, for a chain id. */
type Domain = (chainId: bigint) => DomainMember[];

/** Chains whose native transactions may have any of some domains. */
interface Family {
  domains: readonly Domain[];
  /** Public chains. Of other chains, a domain is recognised by the chain id that a caller gives. */
  chainIds: readonly string[];
}

/**
 * The ZK Stack: transactions of type 0x71.
 *
 * @see https://docs.zksync.io/zksync-network/environment
 */
const ZK_STACK: Family = {
  domains: [(id) => [text('name', 'zkSync'), text('version', '2'), chain(id)]],
  chainIds: [
    // ZKsync Era, and the nodes of its development tools
    ...['324', '300', '260', '270', '272'],
    // Abstract, Sophon, Lens, Treasure
    ...['2741', '11124', '50104', '531050104', '531050204', '232', '37111', '61166', '978658'],
    // Cronos zkEVM, GRVT, ZKcandy, zkXPLA, Zero, OpenZK, ADI, Memento, zkLink Nova
    ...['388', '240', '282', '325', '320', '375', '475', '543210', '4457845', '1345', '36900', '51888'],
    ...['810180', '810181'],
    // BattleChain, PlayFi
    ...['626', '627', '1612127'],
  ],
};

/**
 * Cosmos chains with an EVM (Ethermint, Evmos, Cosmos EVM, Injective): transactions of the Cosmos SDK. Unlike in
 * EIP-712, `salt` is a string, and so is `verifyingContract` in most domains.
 *
 * @see https://docs.cosmos.network/evm/next/documentation/concepts/signing
 */
const COSMOS_EVM: Family = {
  domains: [
    cosmosDomain('Cosmos Web3', text('verifyingContract', 'cosmos')),
    cosmosDomain('Injective Web3', text('verifyingContract', 'cosmos')),
    cosmosDomain('Injective Web3', {
      ...{ name: 'verifyingContract', type: 'address', value: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC' },
    }),
  ],
  chainIds: [
    // The defaults of Ethermint and Cosmos EVM, Evmos, Cronos, Kava, Canto
    ...['9000', '262144', '9001', '25', '338', '2222', '2221', '7700'],
    // Injective, which also accepts the chain ids of Ethereum and of its test networks
    ...['1776', '1439', '1', '5', '11155111'],
    // Dymension, HAQQ, ZetaChain, Planq, XRPL EVM, MANTRA, TAC, Stable, KiiChain
    ...['1100', '11235', '54211', '7000', '7001', '7070', '1440000', '1440002', '1449000', '5887', '5888'],
    ...['239', '2391', '988', '2201', '1783', '1336'],
  ],
};

const FAMILIES = [ZK_STACK, COSMOS_EVM];

/** Chain ids whose separators are kept: those of relayers, of which there are few. */
const MAX_CHAINS = 1000;

const separators = new Map<string, ReadonlySet<string>>();
const known: ReadonlySet<string> = new Set(
  FAMILIES.flatMap(({ domains, chainIds }) =>
    chainIds.flatMap((chainId) => domains.map((domain) => separatorOf(domain, chainId))),
  ),
);

/**
 * Whether a domain separator is that of native transactions of a chain: on ZK Stack chains such as ZKsync Era, and on
 * Cosmos chains such as Cronos, a transaction may be signed as typed data of a certain domain. So a signature under this
 * domain can move the coins of the account, as that of a transaction does.
 *
 * @param separator 64 hex digits of either case, with or without `0x`
 * @param chainId a chain to consider besides those that are known, in decimal
 */
export function isNativeTransactionDomain(separator: string, chainId: string | null | undefined): boolean {
  const digits = withoutPrefix(separator).toLowerCase();
  return known.has(digits) || (typeof chainId === 'string' && separatorsOf(chainId).has(digits));
}

const separatorsOf = (chainId: string): ReadonlySet<string> =>
  recall(
    separators,
    chainId,
    MAX_CHAINS,
    () => new Set(FAMILIES.flatMap(({ domains }) => domains).map((domain) => separatorOf(domain, chainId))),
  );

/** 64 lower-case hex digits. */
function separatorOf(domain: Domain, chainId: string): string {
  return domainSeparator(domain(BigInt(chainId))).slice(2);
}

function cosmosDomain(name: string, verifyingContract: DomainMember): Domain {
  return (id) => [
    text('name', name),
    text('version', '1.0.0'),
    chain(id),
    verifyingContract,
    text('salt', '0'),
  ];
}

function text(name: string, value: string): DomainMember {
  return { name, type: 'string', value };
}

function chain(id: bigint): DomainMember {
  return { name: 'chainId', type: 'uint256', value: id };
}
