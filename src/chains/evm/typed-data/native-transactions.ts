import { setNewest } from '../../../common/set-newest';
import { parseDomain } from './typed-data-domain';

/**
 * Public chains of the ZK Stack. Of other chains, the domain is recognised by the chain id that a caller gives.
 *
 * @see https://docs.zksync.io/zksync-network/environment
 */
const ZK_STACK_CHAIN_IDS = [
  // ZKsync Era, and the nodes of its development tools
  ...['324', '300', '260', '270', '272'],
  // Abstract, Sophon, Lens, Treasure
  ...['2741', '11124', '50104', '531050104', '531050204', '232', '37111', '61166', '978658'],
  // Cronos zkEVM, GRVT, ZKcandy, zkXPLA, Zero, OpenZK, ADI, Memento, zkLink Nova
  ...['388', '240', '282', '325', '320', '375', '475', '543210', '4457845', '1345', '36900', '51888'],
  ...['810180', '810181'],
  // BattleChain, PlayFi
  ...['626', '627', '1612127'],
];

/** Chain ids whose separators are kept: those of relayers, of which there are few. */
const MAX_SEPARATORS = 1000;

const separators = new Map<string, string>();
const known: ReadonlySet<string> = new Set(ZK_STACK_CHAIN_IDS.map(computeSeparator));

/**
 * Whether a domain separator is that of native transactions of a ZK Stack chain, such as ZKsync Era: they are of type
 * 0x71 (EIP-712), and their signature is one of typed data with the domain `{name: "zkSync", version: "2", chainId}`. So
 * a signature under this domain can move the coins of the account, as that of a transaction does.
 *
 * @param separator 64 hex digits of either case, with or without `0x`
 * @param chainId a chain to consider besides those that are known, in decimal
 */
export function isNativeTransactionDomain(separator: string, chainId: string | null | undefined): boolean {
  const digits = (separator.startsWith('0x') ? separator.slice(2) : separator).toLowerCase();
  return known.has(digits) || (typeof chainId === 'string' && digits === separatorOf(chainId));
}

function separatorOf(chainId: string): string {
  let separator = separators.get(chainId);
  if (separator === undefined) {
    separator = computeSeparator(chainId);
    setNewest(separators, chainId, separator, MAX_SEPARATORS);
  }
  return separator;
}

/** 64 lower-case hex digits. */
function computeSeparator(chainId: string): string {
  return parseDomain({ name: 'zkSync', version: '2', chainId }, {}).separator.slice(2);
}
