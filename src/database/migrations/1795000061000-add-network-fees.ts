import type { MigrationInterface, QueryRunner } from 'typeorm';
import { addColumnInPlace, dropColumnInPlace } from './create-table';

/** How the transaction fees of a network are determined. */
export class AddNetworkFees1795000061000 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    await addColumnInPlace(queryRunner, 'networks', 'fees', 'json');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await dropColumnInPlace(queryRunner, 'networks', 'fees');
  }
}
