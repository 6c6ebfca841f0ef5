import { Inject, Injectable, Module, Scope, type Type } from '@nestjs/common';
import {
  NotificationsApi,
  original,
  RelayerPlugin,
  RelayersApi,
  type ServiceModule,
  SignerKind,
  SigningApi,
  TransactionsApi,
} from '../../src/public';
import { TestApplication } from '../support/application';
import { createSqlite, type TestDatabase } from '../support/databases';

const reject = (): Promise<never> => Promise.reject(new Error('not in this test'));

@Injectable()
class HalfSigning extends (SigningApi as Type) {
  signMessage = reject;

  signTypedData(): Promise<never> {
    return reject();
  }
}

@Injectable()
class NoRelayers extends (RelayersApi as Type) {}

@Injectable()
class NoTransactions extends (TransactionsApi as Type) {}

@Injectable()
class NoNotifications extends (NotificationsApi as Type) {}

@RelayerPlugin({
  name: 'overriding',
  compatibility: '^1',
  overrides: [
    { port: SigningApi, useClass: HalfSigning },
    { port: RelayersApi, useClass: NoRelayers },
    { port: TransactionsApi, useClass: NoTransactions },
    { port: NotificationsApi, useClass: NoNotifications },
  ],
})
@Module({})
class OverridingModule {}

/** Passes all calls on, as classes do that JavaScript makes of another object. */
@Injectable()
class PassedOn extends (RelayersApi as Type) {
  constructor(@Inject(original(RelayersApi)) relayers: RelayersApi) {
    super();
    return new Proxy(relayers, {});
  }
}

@Injectable()
@SignerKind('complete')
class CompleteFactory {
  readonly prepare = reject;

  open(): never {
    throw new Error('not in this test');
  }
}

@RelayerPlugin({
  name: 'complete',
  compatibility: '^1',
  overrides: [{ port: RelayersApi, useClass: PassedOn }],
})
@Module({ providers: [CompleteFactory, { provide: 'alias', useExisting: CompleteFactory }] })
class CompleteModule {}

@Injectable()
@SignerKind('misspelt')
class MisspeltFactory {
  prepares = reject;
  open = reject;
}

@Injectable()
@SignerKind()
class NamelessFactory extends CompleteFactory {}

@Injectable({ scope: Scope.REQUEST })
@SignerKind('scoped')
class ScopedFactory extends CompleteFactory {}

@Injectable()
@SignerKind('made')
class MadeFactory {}

@Injectable()
@SignerKind('vault')
class SecondVaultFactory extends CompleteFactory {}

@Injectable()
@SignerKind('Q q/é')
class UnstorableFactory extends CompleteFactory {}

@RelayerPlugin({ name: 'kinds', compatibility: '^1' })
@Module({ providers: [SecondVaultFactory, UnstorableFactory] })
class KindsModule {}

@Module({
  providers: [
    MisspeltFactory,
    NamelessFactory,
    ScopedFactory,
    { provide: 'made', useFactory: () => new MadeFactory() },
  ],
})
class ImportedModule {}

@RelayerPlugin({ name: 'importing', compatibility: '^1' })
@Module({ imports: [ImportedModule] })
class ImportingModule {}

describe('A plugin', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createSqlite();
  });

  afterEach(() => database.drop());

  const start = (module: ServiceModule): Promise<TestApplication> =>
    TestApplication.start(database, {}, { modules: [module] });

  it('cannot override a port with a class that lacks methods', async () => {
    await expect(start(OverridingModule)).rejects.toMatchObject({
      name: 'ConfigurationError',
      faults: [
        'The plugin overriding must override SigningApi with all its methods: HalfSigning lacks signTypedDataBatch, signTransaction',
        'The plugin overriding must override RelayersApi with all its methods: NoRelayers lacks list, get, create, update, delete',
        'The plugin overriding must override TransactionsApi with all its methods: NoTransactions lacks submit, submitBatch, list, get, getByNonce, listAttempts, waitFor, replace, cancel, cancelPending',
        'The plugin overriding must override NotificationsApi with all its methods: NoNotifications lacks list, get, create, update, delete, record',
      ],
    });
  });

  it('cannot create signers with a class that is no factory of signers', async () => {
    await expect(start(ImportingModule)).rejects.toMatchObject({
      name: 'ConfigurationError',
      faults: [
        'The module ImportedModule must create signers of kind misspelt with the methods of a factory: MisspeltFactory lacks prepare',
        "The module ImportedModule must name the signer kind of NamelessFactory: @SignerKind('name')",
        'The module ImportedModule must create signers of kind scoped with ScopedFactory in the default scope, not in that of a request',
        'The module ImportedModule must create signers of kind made with the methods of a factory: MadeFactory lacks prepare, open',
      ],
    });
  });

  it('cannot create signers of a kind that exists, or whose name cannot be stored', async () => {
    await expect(start(KindsModule)).rejects.toMatchObject({
      name: 'ConfigurationError',
      faults: expect.arrayContaining([
        expect.stringMatching(/^The modules \w+ and \w+ both create signers of kind vault$/),
        'The module KindsModule names a signer kind "Q q/é": a kind has 1 to 32 characters of ASCII without spaces',
      ]) as string[],
    });
  });

  it('may have the methods in the prototype, in the instance, or in the object that the constructor returns', async () => {
    const service = await start(CompleteModule);
    try {
      expect((await service.get('/api/v1/relayers')).status).toBe(200);
    } finally {
      await service.close();
    }
  });
});
