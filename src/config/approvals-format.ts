import type { Format } from './setting-formats';

/** The kinds of changes that may require approval. */
export const APPROVAL_KINDS = [
  'loosen_policy',
  'unpause',
  'signer_delete',
  'api_key_scope',
  'unfreeze',
  'transaction',
] as const;

export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/** The number of approvals that each kind of change requires; a missing kind requires none. */
export type NeededApprovals = Readonly<Partial<Record<ApprovalKind, number>>>;

/** More approvals than anyone could obtain in practice. */
const MAX_NEEDED = 10;

const isKind = (text: string): text is ApprovalKind => APPROVAL_KINDS.includes(text as ApprovalKind);

export const approvalsFormat: Format<NeededApprovals> = {
  accepts: `a comma-separated list of \`<kind>=<1–${MAX_NEEDED}>\`, with the kinds ${APPROVAL_KINDS.map((kind) => `\`${kind}\``).join(', ')}`,
  parse: (text) => {
    const needed = new Map<ApprovalKind, number>();
    for (const item of text.split(',')) {
      const [, kind = '', count = ''] = /^([a-z_]+)=([1-9]|10)$/.exec(item.trim()) ?? [];
      if (!isKind(kind))
        throw new Error(
          `must be a comma-separated list of <kind>=<1 to ${MAX_NEEDED}>, with the kinds ${APPROVAL_KINDS.join(', ')}`,
        );
      if (needed.has(kind)) throw new Error(`must not have ${kind} twice`);
      needed.set(kind, Number(count));
    }
    return Object.fromEntries(needed);
  },
};
