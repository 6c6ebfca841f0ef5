import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { isFirstProcess } from '../cluster/primary';
import { causeOf } from '../common/errors/error-cause';
import { UnitOfWork } from '../database/unit-of-work';
import { SignerEntity } from '../signers/signer.entity';
import { SignerKinds } from '../signers/signer-kinds';
import { tablesOfUnloadedPlugins } from './unloaded-plugins';

/** The names of the loaded plugins. */
export const LOADED_PLUGINS = Symbol('LOADED_PLUGINS');

/**
 * Warns at the start if the database was used with a plugin that is not loaded: the rules of a missing plugin would
 * otherwise disappear without a trace. A plugin that has neither migrations nor signers leaves nothing to find.
 */
@Injectable()
export class MissingPlugins implements OnApplicationBootstrap {
  private readonly logger = new Logger(MissingPlugins.name);

  constructor(
    @Inject(LOADED_PLUGINS) private readonly loaded: readonly string[],
    private readonly unitOfWork: UnitOfWork,
    private readonly kinds: SignerKinds,
  ) {}

  /** Logs one line for each table of migrations, and for each kind of stored signers, that nothing loaded explains. */
  async onApplicationBootstrap(): Promise<void> {
    if (!isFirstProcess()) return;
    try {
      for (const table of await tablesOfUnloadedPlugins(this.unitOfWork, this.loaded))
        this.logger.warn(
          'A plugin that has migrated this database is not loaded, so its rules do not apply',
          {
            table,
          },
        );
      for (const { kind, signers } of await this.unexplainedKinds())
        this.logger.warn('No module of this service opens signers of a kind that is stored', {
          kind,
          signers: Number(signers),
        });
    } catch (error) {
      this.logger.warn('The database could not be searched for traces of missing plugins', {
        cause: causeOf(error),
      });
    }
  }

  private async unexplainedKinds(): Promise<{ kind: string; signers: number | string }[]> {
    const rows = await this.unitOfWork
      .repository(SignerEntity)
      .createQueryBuilder('signer')
      .select('signer.kind', 'kind')
      .addSelect('COUNT(*)', 'signers')
      .groupBy('signer.kind')
      .orderBy('signer.kind')
      .getRawMany<{ kind: string; signers: number | string }>();
    return rows.filter(({ kind }) => !this.kinds.find(kind));
  }
}
