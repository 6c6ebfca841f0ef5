import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { Registry } from 'prom-client';
import { apiKeyEntry } from '../auth/api-keys/api-key-audit';
import { ApiKeyEntity } from '../auth/api-keys/api-key.entity';
import { CreateApiKeyDto } from '../auth/api-keys/dto/create-api-key.dto';
import { newApiKey } from '../auth/api-keys/new-api-key';
import { DomainError } from '../common/errors/domain-error';
import { listFaults } from '../common/validation/validation-faults';
import { ConfigurationError } from '../config/configuration-error';
import { ProtectedRows } from '../database/integrity/protected-rows';
import { RowIntegrity } from '../database/integrity/row-integrity';
import { withSession } from '../database/with-session';
import { StorageKeyCheck } from '../stored-secrets/storage-key-check';
import { readArguments } from './arguments';
import { consoleOutput, runCommand } from './run-command';
import { shellAudit } from './shell-audit';
import { assertMacs, type Storage, withStorage } from './stored-records';

const USAGE =
  'Usage: npm run api-key -- create --name <name> --scopes <a,b> [--relayers <a,b>] [--groups <a,b>]' +
  ' [--expires-at <RFC 3339>] [--allowed-ips <a,b>]';

const REQUIRED = ['name', 'scopes'] as const;

const text = { type: 'string' } as const;
const OPTIONS = {
  name: text,
  scopes: text,
  relayers: text,
  groups: text,
  'expires-at': text,
  'allowed-ips': text,
};

/** `create`: stores a new API key in the configured database and prints it. It cannot be shown again. */
runCommand('API key', USAGE, () => {
  const wanted = wantedKey();
  return withStorage((storage) => create(storage, wanted));
});

async function create(storage: Storage, wanted: CreateApiKeyDto): Promise<boolean> {
  const { dataSource, unitOfWork, cipher, macs } = storage;
  const isMigrated = await withSession(dataSource, (session) => session.hasTable('api_keys'));
  if (!isMigrated)
    throw new ConfigurationError([
      'The database has no table of API keys yet: run npm run migrate, or start the service once',
    ]);
  await assertMacs(storage);
  // With another key, the first row that is read would count as altered.
  await new StorageKeyCheck(unitOfWork, cipher, macs).verify();
  const keys = new ProtectedRows(unitOfWork, new RowIntegrity(macs, new Registry()), ApiKeyEntity);
  const record = shellAudit(storage);
  const key = asCommand(() => newApiKey(wanted, 'shell'));
  await unitOfWork.run(async () => {
    const created = await keys.insert(key.row);
    await record(apiKeyEntry('api_key.create', created.id, null, created));
  });
  consoleOutput.printToStderr(`Created the API key ${key.row.id}; it is shown only once`);
  if (key.text) consoleOutput.print(key.text.reveal());
  return true;
}

/** Checks the arguments by the rules of the route. */
function wantedKey(): CreateApiKeyDto {
  const { values, positionals } = readArguments(USAGE, { options: OPTIONS, allowPositionals: true });
  if (positionals.length !== 1 || positionals[0] !== 'create') throw new ConfigurationError([USAGE]);
  const missing = REQUIRED.filter((option) => values[option] === undefined);
  if (missing.length > 0)
    throw new ConfigurationError([...missing.map((option) => `--${option} is required`), USAGE]);
  const list = (value: string | undefined) => value?.split(',').map((item) => item.trim());
  const wanted = plainToInstance(CreateApiKeyDto, {
    name: values.name,
    scopes: list(values.scopes),
    relayers: list(values.relayers),
    groups: list(values.groups),
    expires_at: values['expires-at'],
    allowed_ips: list(values['allowed-ips']),
  });
  const faults = listFaults(validateSync(wanted, { stopAtFirstError: true }));
  if (faults.length > 0) throw new ConfigurationError([...faults, USAGE]);
  return wanted;
}

function asCommand<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof DomainError ? new ConfigurationError([error.detail]) : error;
  }
}
