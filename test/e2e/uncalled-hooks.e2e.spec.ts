import {
  Inject,
  Injectable,
  Module,
  type OnModuleDestroy,
  type OnModuleInit,
  Scope,
  type Type,
} from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import { Lifecycle, original, RelayerPlugin, RelayersApi, type ServiceModule } from '../../src/public';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';

@Injectable()
class Rule implements OnModuleInit {
  constructor(readonly lifecycle: Lifecycle) {}

  onModuleInit(): void {
    this.lifecycle.on('signature.before', () => undefined);
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedRule extends Rule {}

@Injectable()
class RuleOfRequest implements OnModuleInit {
  constructor(
    readonly lifecycle: Lifecycle,
    @Inject(REQUEST) readonly request: object,
  ) {}

  onModuleInit(): void {
    this.lifecycle.on('signature.before', () => undefined);
  }
}

/** Depends on a request two steps away. */
@Injectable()
class IndirectRule implements OnModuleInit {
  constructor(
    readonly lifecycle: Lifecycle,
    readonly rule: RuleOfRequest,
  ) {}

  onModuleInit(): void {
    this.lifecycle.on('signature.before', () => undefined);
  }
}

@Injectable({ scope: Scope.TRANSIENT })
class TransientRule extends Rule {}

@Injectable({ scope: Scope.REQUEST })
class Cache implements OnModuleDestroy {
  onModuleDestroy(): void {
    throw new Error('never called');
  }
}

@Injectable({ scope: Scope.REQUEST })
class WithoutHooks {}

@Injectable()
class User {
  constructor(readonly rule: TransientRule) {}
}

const of = (name: string, ...providers: NonNullable<Parameters<typeof Module>[0]['providers']>) => {
  @RelayerPlugin({ name, compatibility: '^1' })
  @Module({ providers })
  class OfPlugin {}
  return OfPlugin;
};

@Module({ providers: [ScopedRule] })
class ImportedModule {}

@RelayerPlugin({ name: 'importing', compatibility: '^1' })
@Module({ imports: [ImportedModule] })
class ImportingModule {}

@RelayerPlugin({ name: 'module-itself', compatibility: '^1' })
@Module({ providers: [WithoutHooks] })
class ScopedModule implements OnModuleInit {
  constructor(readonly scoped: WithoutHooks) {}

  onModuleInit(): void {
    throw new Error('never called');
  }
}

@Injectable({ scope: Scope.REQUEST })
class ScopedRelayers extends (RelayersApi as Type) implements OnModuleInit {
  constructor(@Inject(original(RelayersApi)) readonly relayers: RelayersApi) {
    super();
  }

  onModuleInit(): void {
    throw new Error('never called');
  }
}

@RelayerPlugin({
  name: 'overriding',
  compatibility: '^1',
  overrides: [{ port: RelayersApi, useClass: ScopedRelayers }],
})
@Module({})
class OverridingModule {}

const SCOPED = 'is never called, because it, or what it injects, has the scope of a request';

describe('Hooks of added modules', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createSqlite();
  });

  afterEach(() => database.drop());

  const start = (module: ServiceModule): Promise<TestApplication> =>
    TestApplication.start(database, {}, { modules: [module] });

  it.each<[string, ServiceModule, string[]]>([
    [
      'of a provider with the scope of a request',
      of('scoped', ScopedRule),
      [`The plugin scoped has ScopedRule, whose onModuleInit ${SCOPED}`],
    ],
    [
      'of providers that depend on the request',
      of('dependent', RuleOfRequest, IndirectRule),
      [
        `The plugin dependent has RuleOfRequest, whose onModuleInit ${SCOPED}`,
        `The plugin dependent has IndirectRule, whose onModuleInit ${SCOPED}`,
      ],
    ],
    [
      'of a provider that a factory returns',
      of('factory', {
        provide: Rule,
        useFactory: (lifecycle: Lifecycle) => new Rule(lifecycle),
        inject: [Lifecycle, REQUEST],
      }),
      [`The plugin factory has Rule, whose onModuleInit ${SCOPED}`],
    ],
    [
      'of a transient provider that nothing injects',
      of('transient', TransientRule),
      [
        'The plugin transient has TransientRule, whose onModuleInit is never called, because it is transient, and nothing injects it',
      ],
    ],
    [
      'for the stop',
      of('stopping', Cache),
      [`The plugin stopping has Cache, whose onModuleDestroy ${SCOPED}`],
    ],
    [
      'of an imported module',
      ImportingModule,
      [`The module ImportedModule has ScopedRule, whose onModuleInit ${SCOPED}`],
    ],
    [
      'of the module itself',
      ScopedModule,
      [`The plugin module-itself has ScopedModule, whose onModuleInit ${SCOPED}`],
    ],
    [
      'of a class that overrides a port',
      OverridingModule,
      [`The module PortsModule has ScopedRelayers, whose onModuleInit ${SCOPED}`],
    ],
  ])('%s stop the start if they would never be called', async (_which, module, faults) => {
    await expect(start(module)).rejects.toMatchObject({ name: 'ConfigurationError', faults });
  });

  it('may be missing in what has the scope of a request, and belong to a transient that is injected', async () => {
    const service = await start(of('living', Rule, WithoutHooks, User, TransientRule));
    await service.close();
  });
});
