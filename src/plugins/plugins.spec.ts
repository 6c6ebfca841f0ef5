import { type DynamicModule, forwardRef, Module } from '@nestjs/common';
import { readPlugins, type ServiceModule } from './plugins';
import { RelayerPlugin } from './relayer-plugin.decorator';

const SERVICE = { version: '1.4.2', entities: [] };

@RelayerPlugin({ name: 'acme', compatibility: '^1' })
@Module({})
class AcmeModule {}

@Module({ imports: [AcmeModule] })
class DirectModule {}

@Module({ imports: [forwardRef(() => DirectModule)] })
class IndirectModule {}

@Module({})
class PlainModule {}

const dynamic = (...imports: NonNullable<DynamicModule['imports']>): DynamicModule => ({
  module: PlainModule,
  imports,
});

@Module({ imports: [forwardRef(() => CircularModule)] })
class CircularModule {}

const faultOf = (...modules: ServiceModule[]): string => {
  try {
    readPlugins(modules, SERVICE);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

describe('readPlugins', () => {
  it.each<[string, ServiceModule, string]>([
    ['imported by a module', DirectModule, 'DirectModule'],
    ['imported further down', IndirectModule, 'DirectModule'],
    ['imported by a dynamic module', dynamic(AcmeModule), 'PlainModule'],
    ['imported as a dynamic module', dynamic({ module: AcmeModule }), 'PlainModule'],
    ['imported by a module of a dynamic module', dynamic(DirectModule), 'DirectModule'],
  ])(
    'refuses a plugin that is only %s, because its declaration would be ignored',
    (_how, module, importer) => {
      expect(faultOf(module)).toBe(
        `The plugin acme is imported by ${importer}, and not among the modules of the service: add it to them`,
      );
    },
  );

  it('leaves an import that is no module to Nest', () => {
    for (const imported of [null, undefined, false, '']) expect(faultOf(dynamic(imported as never))).toBe('');
  });

  it.each<[string, object, string]>([
    ['an unknown member', { entites: [] }, 'declares entites, which is none of name, compatibility, '],
    ['one class instead of a list', { entities: PlainModule }, 'must declare entities as a list'],
    [
      'a class that a circular import left undefined',
      { entities: [PlainModule, undefined] },
      'has an item in entities, number 2, that is not a class',
    ],
    [
      'a scope that is not a string',
      { scopes: [7] },
      'has an item in scopes, number 1, that is not a string',
    ],
    [
      'a sealed column without its table',
      { sealedColumns: [{ column: 'secret' }] },
      'has an item in sealedColumns, number 1, that is not an object with the strings table and column',
    ],
    [
      'an override without a port',
      { overrides: [{ port: undefined, useClass: PlainModule }] },
      'has an item in overrides, number 1, that is not an object with the classes port and useClass',
    ],
  ])('refuses a declaration with %s', (_what, members, fault) => {
    @RelayerPlugin({ name: 'acme', compatibility: '^1', ...members })
    @Module({})
    class WrongModule {}
    expect(faultOf(WrongModule)).toContain(`The plugin acme ${fault}`);
  });

  it('refuses a declaration that is not an object, or has no name', () => {
    for (const [options, fault] of [
      ['acme', 'must be an object'],
      [{ compatibility: '^1' }, 'must have a name, which is a string'],
    ] as const) {
      @RelayerPlugin(options as never)
      @Module({})
      class WrongModule {}
      expect(faultOf(WrongModule)).toBe(`The declaration of a plugin ${fault}`);
    }
  });

  it('refuses what is not a module', () => {
    expect(faultOf(DirectModule, undefined as never)).toBe('Number 2 of the modules to add is not a module');
    expect(faultOf({ module: undefined } as never)).toBe('Number 1 of the modules to add is not a module');
  });

  it('refuses a class that is no module, or an empty one, because it adds nothing', () => {
    class Undecorated {
      static register = (): DynamicModule => dynamic();
      book(): string {
        return 'an entry';
      }
    }
    @Module({})
    class Empty extends Undecorated {}
    const fault = 'adds nothing to the service: it needs @Module(), with what the module consists of';
    expect(faultOf(Undecorated, Empty)).toBe(`Undecorated ${fault}\nEmpty ${fault}`);
    expect(faultOf(Undecorated.register(), { module: Empty })).toBe('');
  });

  it('accepts a module without members that does something in a hook, its constructor or with middleware', () => {
    @Module({})
    class WithHook {
      onModuleInit(): string {
        return 'called';
      }
    }
    @Module({})
    class WithParameters {
      constructor(readonly spec: PlainModule) {}
    }
    @Module({})
    class WithMiddleware {
      configure(): string {
        return 'called';
      }
    }
    @Module({ providers: [] })
    class WithoutProviders {}
    @RelayerPlugin({ name: 'acme', compatibility: '^1' })
    class OnlyPlugin {}
    expect(faultOf(WithHook, WithParameters, WithMiddleware, WithoutProviders, OnlyPlugin)).toBe('');
  });

  it('accepts a plugin that a module imports as well', () => {
    expect(faultOf(AcmeModule, IndirectModule)).toBe('');
    expect(faultOf(IndirectModule, dynamic(AcmeModule), { module: AcmeModule })).toBe('');
  });

  it('accepts modules that import other things', () => {
    expect(faultOf(CircularModule, dynamic(PlainModule, Promise.resolve(dynamic())))).toBe('');
  });
});
