import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { AppModule } from '../app/app.module';
import { createApplication } from '../app/create-application';
import { openApiDocument } from '../app/openapi/openapi-document';
import { throwawayConfig } from './command-config';

/** Writes the OpenAPI document of the built application to the file given on the command line. */
async function main(file: string): Promise<void> {
  const config = throwawayConfig();
  const app = await createApplication(AppModule.register(config), config, false);
  writeFileSync(file, `${JSON.stringify(openApiDocument(app), null, 2)}\n`);
  await app.close();
}

void main(process.argv[2] ?? 'docs/openapi.json');
