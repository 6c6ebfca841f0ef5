import { inSpanOf, type SpanAttributes, startSpan } from '../common/tracing/spans';
import { parseTrace } from '../common/tracing/trace-context';
import type { TransactionEntity } from './transaction.entity';

type Traced = Pick<TransactionEntity, 'id' | 'relayerId' | 'traceContext'>;

/**
 * Runs a step for several transactions as a span in the trace of the first one, with links to the traces of the others.
 */
export function inStep<T>(name: string, rows: readonly Traced[], work: () => Promise<T>): Promise<T> {
  const [first, ...others] = rows;
  if (!first) return work();
  const links = others.flatMap(({ traceContext }) => parseTrace(traceContext) ?? []);
  const attributes = { ...attributesOf(first), transactions: rows.length };
  return inSpanOf(parseTrace(first.traceContext), name, { attributes, links }, work);
}

/** Records the time between a transaction's previous event and its new status, as a finished span. */
export function recordStage(
  before: Pick<TransactionEntity, 'eventAt' | 'createdAt'>,
  after: Traced & Pick<TransactionEntity, 'status'>,
): void {
  const since = Math.min((before.eventAt ?? before.createdAt).getTime(), Date.now());
  startSpan(`transaction ${after.status}`, {
    parent: parseTrace(after.traceContext),
    startedAt: new Date(since),
    attributes: attributesOf(after),
  })?.end();
}

const attributesOf = ({ id, relayerId }: Traced): SpanAttributes => ({
  'transaction.id': id,
  'relayer.id': relayerId,
});
