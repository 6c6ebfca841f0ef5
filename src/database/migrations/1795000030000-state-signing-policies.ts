import { Logger } from '@nestjs/common';
import type { MigrationInterface, QueryRunner } from 'typeorm';

interface TypedData {
  allow_blind_hashes?: boolean;
  allowed?: { fields?: object }[];
}

interface Policies {
  typed_data?: TypedData;
  messages?: object;
  transactions?: object;
}

interface Row {
  id: string;
  /** JSON. */
  policies: string;
}

/**
 * With this migration, a relayer with a policy for typed data, messages or transactions signs only what one of them
 * allows. Relayers that already have such a policy get explicit policies for what they could sign before: messages and
 * transactions of any kind, and two hashes unless those were forbidden. Each of these relayers is logged, so that
 * operators can tighten its policies.
 *
 * The migration changes only rows and may run again after an interruption: explicit policies are left unchanged.
 */
export class StateSigningPolicies1795000030000 implements MigrationInterface {
  private readonly logger = new Logger('Migration');

  async up(queryRunner: QueryRunner): Promise<void> {
    await eachRelayer(queryRunner, (id, policies) => {
      const stated = stateCurrentBehaviour(policies);
      if (stated)
        this.logger.warn(
          'The policies of a relayer now state what it signs: check whether it should sign all of it',
          { relayer_id: id, policies: stated },
        );
      return stated && { ...policies, ...stated };
    });
  }

  /**
   * The previous version does not know these members. Entries that constrain fields are removed, so that it does not
   * sign more full typed data than before. It again signs what `messages` and `transactions` forbid, which is logged.
   */
  async down(queryRunner: QueryRunner): Promise<void> {
    await eachRelayer(queryRunner, (id, policies) => {
      const { messages, transactions, ...others } = policies;
      const typedData = withoutFields(policies.typed_data);
      if (!messages && !transactions && typedData === policies.typed_data) return undefined;
      this.logger.warn('Policies of a relayer that the previous version does not know are removed', {
        relayer_id: id,
        policies: { messages, transactions },
      });
      return { ...others, ...(typedData && { typed_data: typedData }) };
    });
  }
}

/** The policies to add; undefined if there are none. */
function stateCurrentBehaviour(policies: Policies): Policies | undefined {
  const { typed_data: typedData, messages, transactions } = policies;
  if (!typedData) return undefined;
  const signsHashes = !typedData.allowed && typedData.allow_blind_hashes === undefined;
  const stated: Policies = {
    ...(signsHashes && { typed_data: { ...typedData, allow_blind_hashes: true } }),
    ...(!messages && { messages: { allow: 'any' } }),
    ...(!transactions && { transactions: {} }),
  };
  return Object.keys(stated).length > 0 ? stated : undefined;
}

function withoutFields(typedData: TypedData | undefined): TypedData | undefined {
  if (!typedData?.allowed?.some(({ fields }) => fields)) return typedData;
  return { ...typedData, allowed: typedData.allowed.filter(({ fields }) => !fields) };
}

/** @param change returns the new policies of a relayer; undefined to leave them unchanged */
async function eachRelayer(
  queryRunner: QueryRunner,
  change: (id: string, policies: Policies) => Policies | undefined,
): Promise<void> {
  const rows = (await queryRunner.query(
    "SELECT id, policies FROM relayers WHERE network_type = 'evm'",
  )) as Row[];
  for (const { id, policies } of rows) {
    const changed = change(id, JSON.parse(policies) as Policies);
    if (changed)
      await queryRunner.query('UPDATE relayers SET policies = ? WHERE id = ?', [JSON.stringify(changed), id]);
  }
}
