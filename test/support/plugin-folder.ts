import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '../..');
const SERVICE = 'relayer-management-service';

interface Manifest {
  version: string;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}

/** What `npm pack` reports about a tarball. */
interface Packed {
  filename: string;
  files: { path: string }[];
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/**
 * A folder as created by `npm run init`, outside of the repository, in which the packed service is installed. The
 * dependencies of the service and the plugin are links to those of the repository, because tests download nothing.
 * Packages that neither of them declares are not available.
 */
export class PluginFolder {
  readonly path: string;
  /** The files in the tarball. */
  readonly packed: readonly string[];
  private readonly service: string;

  constructor() {
    const temporary = mkdtempSync(join(tmpdir(), 'relayer-package-'));
    const [tarball] = JSON.parse(
      execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', temporary], {
        cwd: ROOT,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      }),
    ) as [Packed];
    this.packed = tarball.files.map(({ path }) => path);
    this.path = join(temporary, 'acme');
    execFileSync(process.execPath, [join(ROOT, 'dist/commands/init.js'), this.path]);
    this.service = join(this.path, 'node_modules', SERVICE);
    mkdirSync(this.service, { recursive: true });
    const archive = join(temporary, tarball.filename);
    execFileSync('tar', ['-xzf', archive, '-C', this.service, '--strip-components=1']);
    this.link(Object.keys(manifestIn(this.service).dependencies));
    const { dependencies, devDependencies } = manifestIn(this.path);
    this.link(Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== SERVICE));
  }

  /** Compiles the plugin against the declarations of the package. @throws Error with the compiler's messages */
  build(): void {
    execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc')], {
      cwd: this.path,
      stdio: 'pipe',
    });
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.path, path), text);
  }

  /** Changes the version of the installed service. */
  release(version: string): void {
    const file = join(this.service, 'package.json');
    writeFileSync(file, JSON.stringify({ ...manifestIn(this.service), version }));
  }

  /** Turns the installed service into a version with an additional migration. */
  releaseWithMigration(version: string, name: string, up: string): void {
    this.release(version);
    const list = join(this.service, 'dist/database/migrations/migrations.js');
    cpSync(list, `${list}.before`);
    const added = `exports.MIGRATIONS.push(class ${name} { name = '${name}'; async up(queryRunner) { ${up} } async down() {} });`;
    writeFileSync(list, `${readFileSync(list, 'utf8')}\n${added}\n`);
  }

  /** Restores the packed service. */
  restore(): void {
    const list = join(this.service, 'dist/database/migrations/migrations.js');
    cpSync(`${list}.before`, list);
    this.release(manifestIn(ROOT).version);
  }

  remove(): void {
    rmSync(dirname(this.path), { recursive: true, force: true });
  }

  private link(names: readonly string[]): void {
    for (const name of names) {
      const link = join(this.path, 'node_modules', name);
      mkdirSync(dirname(link), { recursive: true });
      try {
        symlinkSync(join(ROOT, 'node_modules', name), link);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
    }
  }
}
