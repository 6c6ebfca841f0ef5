import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';

/** What differs between MariaDB and MySQL when a private server is started. */
export interface DatabaseProduct {
  /** Name or path of the server's program. */
  program: string;
  available(): boolean;
  /** Creates the system tables in the folder `data`. */
  install(folder: string, user: string[]): void;
  options: string[];
  /** Further options of a server that need not keep its data when it is killed. */
  undurable: string[];
}

const MARIADB: DatabaseProduct = {
  program: 'mariadbd',
  available: () => has('mariadbd') && has('mariadb-install-db'),
  install: (folder, user) => {
    run('mariadb-install-db', [
      '--no-defaults',
      `--datadir=${join(folder, 'data')}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
      ...user,
    ]);
  },
  options: ['--innodb-log-file-size=16M'],
  undurable: ['--debug-no-sync', '--innodb-flush-method=nosync'],
};

const mySql = (program: string): DatabaseProduct => ({
  program,
  available: () => has(program),
  install: (folder, user) => {
    run(program, ['--no-defaults', '--initialize-insecure', `--datadir=${join(folder, 'data')}`, ...user]);
  },
  // Its default folder for files is one that only the system's own server has.
  options: ['--secure-file-priv=', '--mysqlx=OFF', '--innodb-redo-log-capacity=32M'],
  undurable: ['--innodb-flush-method=nosync'],
});

/** MySQL if TEST_MYSQLD names its program, otherwise MariaDB. */
export function databaseProduct(): DatabaseProduct {
  const { TEST_MYSQLD: program } = process.env;
  return program ? mySql(program) : MARIADB;
}

/** Whether there is a program of this name or at this path. */
export function has(program: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

function run(program: string, parameters: string[]): void {
  execFileSync(program, parameters, { stdio: 'ignore' });
}
