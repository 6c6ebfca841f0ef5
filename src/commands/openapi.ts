import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { AppModule } from '../app/app.module';
import { createApplication } from '../app/create-application';
import { openApiDocument } from '../app/openapi/openapi-document';
import { failuresOnly, throwawayConfig } from './command-config';
import { optionalArgument } from './arguments';
import { ConfigurationError } from '../config/configuration-error';
import { errorCodeOf } from '../common/errors/error-cause';
import { runCommand } from './run-command';

const USAGE = 'Usage: node dist/commands/openapi.js [<file>]';

/** Writes the OpenAPI document of the built application to the file given on the command line. */
runCommand('OpenAPI document', USAGE, async () => {
  const file = optionalArgument(USAGE) ?? 'docs/openapi.json';
  const config = throwawayConfig();
  const app = await createApplication(AppModule.register(config), config, failuresOnly);
  write(file, `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
  await app.close();
  return true;
});

/** @throws ConfigurationError if the file cannot be written */
function write(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    throw new ConfigurationError([`${file} cannot be written: ${errorCodeOf(error) ?? 'unknown error'}`]);
  }
}
