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

  it('accepts a plugin that a module imports as well', () => {
    expect(faultOf(AcmeModule, IndirectModule)).toBe('');
    expect(faultOf(IndirectModule, dynamic(AcmeModule), { module: AcmeModule })).toBe('');
  });

  it('accepts modules that import other things', () => {
    expect(faultOf(CircularModule, dynamic(PlainModule, Promise.resolve(dynamic())), PlainModule)).toBe('');
  });
});
