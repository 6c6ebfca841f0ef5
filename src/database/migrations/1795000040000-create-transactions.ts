import type { MigrationInterface, QueryRunner, TableColumnOptions } from 'typeorm';
import { createdAtColumn, createTable, dropTable, idColumn, reference } from './create-table';

const text = (name: string, length: string): TableColumnOptions => ({ name, type: 'varchar', length });
const time = (name: string): TableColumnOptions => ({
  name,
  type: 'datetime',
  precision: 6,
  isNullable: true,
});

export class CreateTransactions1795000040000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await createTable(queryRunner, {
      name: 'account_nonces',
      columns: [
        { ...text('id', '96'), isPrimary: true },
        text('network_type', '16'),
        text('chain_id', '20'),
        text('address', '64'),
        text('relayer_id', '36'),
        { name: 'next_nonce', type: 'bigint' },
        { name: 'changes', type: 'integer' },
        time('due_at'),
        time('compared_at'),
        createdAtColumn,
      ],
      indices: [
        { name: 'ix_account_nonces_due_at', columnNames: ['due_at', 'compared_at'] },
        { name: 'ix_account_nonces_relayer_id', columnNames: ['relayer_id'] },
      ],
    });
    await createTable(queryRunner, {
      name: 'transactions',
      columns: [
        idColumn,
        text('account_id', '96'),
        text('relayer_id', '36'),
        { ...text('open_relayer_id', '36'), isNullable: true },
        { name: 'nonce', type: 'bigint' },
        { name: 'is_filler', type: 'boolean' },
        { name: 'request', type: 'json' },
        text('sender', '64'),
        { ...text('idempotency_key', '255'), isNullable: true },
        { ...text('request_digest', '64'), isNullable: true },
        text('status', '16'),
        { ...text('status_reason', '1024'), isNullable: true },
        { name: 'version', type: 'integer' },
        { name: 'is_canceled', type: 'boolean' },
        { ...text('abandoned_as', '16'), isNullable: true },
        { name: 'needs_attempt', type: 'boolean' },
        { name: 'attempt', type: 'json', isNullable: true },
        { name: 'hashes', type: 'json' },
        time('broadcast_at'),
        time('sent_at'),
        { name: 'inclusion', type: 'json', isNullable: true },
        { ...text('revert_reason', '1024'), isNullable: true },
        { name: 'revert_data', type: 'json', isNullable: true },
        time('valid_until'),
        { name: 'metadata', type: 'json', isNullable: true },
        time('mined_at'),
        time('confirmed_at'),
        time('finished_at'),
        time('event_at'),
        { ...text('mac', '80'), isNullable: true },
        createdAtColumn,
      ],
      indices: [
        { name: 'uq_transactions_account_nonce', columnNames: ['account_id', 'nonce'], isUnique: true },
        {
          name: 'uq_transactions_idempotency_key',
          columnNames: ['relayer_id', 'idempotency_key'],
          isUnique: true,
        },
        { name: 'ix_transactions_relayer_id', columnNames: ['relayer_id', 'created_at', 'id'] },
        { name: 'ix_transactions_status', columnNames: ['relayer_id', 'status', 'created_at', 'id'] },
        { name: 'ix_transactions_open', columnNames: ['open_relayer_id', 'status', 'nonce'] },
        { name: 'ix_transactions_finished_at', columnNames: ['finished_at'] },
      ],
      foreignKeys: [reference('fk_transactions_open_relayer', 'open_relayer_id', 'relayers', 'RESTRICT')],
    });
    await createTable(queryRunner, {
      name: 'transaction_attempts',
      columns: [
        { ...text('transaction_id', '36'), isPrimary: true },
        { name: 'number', type: 'integer', isPrimary: true },
        text('kind', '16'),
        { name: 'nonce', type: 'bigint' },
        text('hash', '88'),
        { name: 'raw', type: 'json', isNullable: true },
        { name: 'content', type: 'json' },
        time('acknowledged_at'),
        createdAtColumn,
      ],
      foreignKeys: [
        reference('fk_transaction_attempts_transaction', 'transaction_id', 'transactions', 'CASCADE'),
      ],
    });
    await createTable(queryRunner, {
      name: 'account_spending',
      columns: [
        { ...text('account_id', '96'), isPrimary: true },
        { name: 'bucket', type: 'integer', isPrimary: true },
        text('value', '80'),
        text('fee', '80'),
      ],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropTable(queryRunner, 'account_spending');
    await dropTable(queryRunner, 'transaction_attempts');
    await dropTable(queryRunner, 'transactions');
    await dropTable(queryRunner, 'account_nonces');
  }
}
