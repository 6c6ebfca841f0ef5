import type { Type } from '@nestjs/common';
import { Entity, type MigrationInterface, PrimaryColumn } from 'typeorm';
import { SigningApi } from '../signing/signing.api';
import { checkPlugins } from './check-plugins';
import type { RelayerPluginOptions } from './relayer-plugin.decorator';

@Entity('acme_ledger_entries')
class EntryEntity {
  @PrimaryColumn('varchar')
  id!: string;
}

@Entity('relayers_of_acme')
class ForeignEntity {
  @PrimaryColumn('varchar')
  id!: string;
}

@Entity('audit_events')
class OwnEntity {
  @PrimaryColumn('varchar')
  id!: string;
}

abstract class Migration implements MigrationInterface {
  up = () => Promise.resolve();
  down = () => Promise.resolve();
}
class First1796000000000 extends Migration {}
class Second1796000000001 extends Migration {}
class Timeless extends Migration {}

const ACME: RelayerPluginOptions = {
  name: 'acme-ledger',
  compatibility: '^1',
  entities: [EntryEntity],
  migrations: [First1796000000000, Second1796000000001],
  sealedColumns: [{ table: 'acme_ledger_entries', column: 'secret' }],
  scopes: ['acme-ledger.entries:read'],
  events: ['acme-ledger.entry_booked'],
  actions: ['acme-ledger.entry.create'],
};

const faultsOf = (...plugins: Partial<RelayerPluginOptions>[]): string => {
  try {
    checkPlugins(
      plugins.map((plugin) => ({ ...ACME, ...plugin })),
      { version: '1.4.2', entities: [OwnEntity] },
    );
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('checkPlugins', () => {
  it('accepts a plugin that keeps to its namespace', () => {
    expect(faultsOf({})).toBe('');
  });

  it.each(['^1', '>=1.4 <3', '1.x', '*'])('accepts the compatibility %s', (compatibility) => {
    expect(faultsOf({ compatibility })).toBe('');
  });

  it.each(['^2', '^1.5', '0.x', '<1'])(
    'refuses the compatibility %s with an explanation',
    (compatibility) => {
      expect(faultsOf({ compatibility })).toBe(
        `The plugin acme-ledger works with version ${compatibility} of the service, and this is 1.4.2`,
      );
    },
  );

  it.each<[Partial<RelayerPluginOptions>, string]>([
    [{ compatibility: 'newest' }, 'states its compatibility as "newest", which is not a version range'],
    [
      { entities: [EntryEntity, ForeignEntity] },
      'has the table relayers_of_acme, whose name must begin with acme_ledger_',
    ],
    [
      { sealedColumns: [{ table: 'signers', column: 'secret' }] },
      'seals signers.secret, which is not a column of its tables',
    ],
    [
      { migrations: [Timeless] },
      'has the migration Timeless, whose name must end with 13 digits: its time in milliseconds',
    ],
    [
      { migrations: [Second1796000000001, First1796000000000] },
      'lists the migration First1796000000000 after a later one',
    ],
    [
      { scopes: ['other.entries:read'] },
      'declares the scope other.entries:read, which must have the form acme-ledger.<what>:<right>',
    ],
    [
      { events: ['acme-ledger.a_name_that_is_too_long'] },
      'declares the event acme-ledger.a_name_that_is_too_long, which must have the form acme-ledger.<event> and at most 32 characters',
    ],
    ...(
      ['other.entry.create', 'acme-ledger.entry.create.again', `acme-ledger.entry.${'a'.repeat(31)}`] as const
    ).map((action): [Partial<RelayerPluginOptions>, string] => [
      { actions: [action] },
      `declares the action ${action}, which must have the form acme-ledger.<what>.<verb> and at most 48 characters`,
    ]),
  ])('refuses %j', (plugin, fault) => {
    expect(faultsOf(plugin)).toBe(`The plugin acme-ledger ${fault}`);
  });

  it.each(['Acme', 'a', 'acme_ledger', 'acme-', 'a'.repeat(21)])('refuses the name %s', (name) => {
    expect(faultsOf({ name })).toContain('must be 2 to 20 lower-case letters, digits and dashes');
  });

  it('refuses a name whose table prefix collides with tables of the service', () => {
    const bare = { entities: [], sealedColumns: [], scopes: [], events: [], actions: [] };
    expect(faultsOf({ name: 'audit', ...bare })).toBe(
      'The plugin audit needs another name, since the service has audit_events',
    );
    expect(faultsOf({ name: 'migrations', ...bare })).toBe(
      'The plugin migrations needs another name, since the service has migrations_',
    );
    expect(faultsOf({ name: 'audit-mirror', ...bare })).toBe('');
  });

  it.each(['provisioning', 'import', 'shell'])(
    'refuses actions of the plugin %s, which would look like those of an operator',
    (name) => {
      const bare = { name, entities: [], sealedColumns: [], scopes: [], events: [] };
      expect(faultsOf({ ...bare, actions: [`${name}.relayer.create`] })).toBe(
        `The plugin ${name} needs another name to declare actions, since those of the service begin like its own`,
      );
      expect(faultsOf({ ...bare, actions: [] })).toBe('');
    },
  );

  it('refuses to override a class that is not a port', () => {
    expect(faultsOf({ overrides: [{ port: OwnEntity, useClass: EntryEntity }] })).toBe(
      'The plugin acme-ledger overrides OwnEntity, which is not a port that can be overridden',
    );
  });

  it('refuses to override a port with a class that does not extend it', () => {
    expect(faultsOf({ overrides: [{ port: SigningApi, useClass: EntryEntity }] })).toBe(
      'The plugin acme-ledger overrides SigningApi with EntryEntity, which does not extend it',
    );
  });

  it('refuses two plugins in one namespace, and two that override the same port', () => {
    class OwnSigning extends (SigningApi as Type) {}
    const overrides = [{ port: SigningApi, useClass: OwnSigning }];
    expect(faultsOf({ overrides }, { overrides }).split('\n')).toEqual([
      'There are two plugins of the name acme-ledger',
      'Two plugins override SigningApi',
    ]);
    expect(
      faultsOf({}, { name: 'acme', entities: [], sealedColumns: [], scopes: [], events: [], actions: [] }),
    ).toContain('The tables of the plugins acme and acme-ledger could have the same names');
  });
});
