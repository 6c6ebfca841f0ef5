import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { createFolder } from '../common/create-folder';
import { causeOf, errorCodeOf } from '../common/errors/error-cause';
import { ConfigurationError } from '../config/configuration-error';
import { optionalArgument } from './arguments';
import { consoleOutput, runCommand } from './run-command';

const USAGE = 'Usage: npm run init -- <folder>';
const ROOT = join(__dirname, '../..');
const TEMPLATE = join(ROOT, 'examples/plugin');
/**
 * Packages that both the example and the service import. To Nest and TypeORM, a second copy would be a different
 * package.
 */
const SHARED = ['@nestjs/common', '@nestjs/swagger', 'class-validator', 'ethers', 'typeorm'];
const DEVELOPMENT = ['@types/node', 'typescript'];
/** Not a file of the template, because npm leaves `.gitignore` files out of packages. */
const IGNORED = ['.env', 'data/', 'dist/', 'node_modules/'];

interface Manifest {
  name: string;
  version: string;
  engines: object;
  scripts: { 'start:prod': string };
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

const COMPILER = {
  module: 'nodenext',
  moduleResolution: 'nodenext',
  target: 'ES2023',
  types: ['node'],
  rootDir: 'src',
  outDir: 'dist',
  strict: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
};

/** Creates a folder with an example plugin: a separate package that starts the service with the plugin. */
runCommand('Init', USAGE, () => {
  const folder = optionalArgument(USAGE);
  if (folder === undefined) throw new ConfigurationError([USAGE]);
  createEmpty(folder);
  const service = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
  fill(folder, service);
  consoleOutput.print(`Created ${folder}: see its README.md`);
  return Promise.resolve(true);
});

/** @throws ConfigurationError if there is a file, or a folder with content, or none can be created */
function createEmpty(folder: string): void {
  try {
    createFolder(folder);
    if (readdirSync(folder).length === 0) return;
  } catch (error) {
    throw new ConfigurationError([`${folder} cannot be created: ${errorCodeOf(error) ?? 'unknown error'}`]);
  }
  throw new ConfigurationError([`${folder} is not empty`]);
}

/** @throws ConfigurationError if a file cannot be written */
function fill(folder: string, service: Manifest): void {
  try {
    cpSync(TEMPLATE, folder, { recursive: true });
    writeJson(join(folder, 'package.json'), manifestOf(basename(resolve(folder)), service));
    writeJson(join(folder, 'tsconfig.json'), { compilerOptions: COMPILER, include: ['src'] });
    writeFileSync(join(folder, '.gitignore'), `${IGNORED.join('\n')}\n`);
  } catch (error) {
    throw new ConfigurationError([`${folder} is incomplete: ${errorCodeOf(error) ?? causeOf(error)}`]);
  }
}

function manifestOf(folder: string, service: Manifest): object {
  return {
    name: folder.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-'),
    version: '0.1.0',
    private: true,
    engines: service.engines,
    // A dependency would report installations to its author.
    scarfSettings: { enabled: false },
    scripts: {
      build: 'tsc',
      start: service.scripts['start:prod'],
      pretest: 'npm run build',
      test: 'node --test dist/*/*.test.js',
    },
    dependencies: {
      ...versionsOf(SHARED, service.dependencies),
      [service.name]: `^${service.version}`,
    },
    devDependencies: versionsOf(DEVELOPMENT, service.devDependencies),
  };
}

const versionsOf = (names: readonly string[], versions: Record<string, string>): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, versions[name] ?? '*']));

function writeJson(file: string, content: object): void {
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
}
