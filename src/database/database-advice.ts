const WRITABLE = 'Let the user of the service read and write the file and its folder.';

const FULL = 'The disk is full: free or add space.';
const RIGHTS = 'Grant the user the rights on this database that docs/operations/installing.md lists.';
const READ_ONLY = 'The server is read-only: let DATABASE_URL name the primary, or make this server writable.';
const LOCKED = 'Another session keeps rows locked: look at SHOW PROCESSLIST, and try again.';

const LOST = 'The connection ended: look at the log of the server, and at proxies in between.';

/** Advice for errors of the driver, by error code. */
const ADVICE: Record<string, string> = {
  ECONNREFUSED: 'Start the database server, or correct host and port in DATABASE_URL.',
  ENOTFOUND: 'Correct the host in DATABASE_URL, or the name service of this machine.',
  EAI_AGAIN: 'The name service does not respond: check the DNS settings of this machine.',
  ETIMEDOUT: 'Let a firewall or NetworkPolicy pass connections from here to the database.',
  EHOSTUNREACH: 'There is no route to the host in DATABASE_URL: check the network.',
  ER_ACCESS_DENIED_ERROR: 'Correct user and password in DATABASE_URL; percent-encode special characters.',
  ER_DBACCESS_DENIED_ERROR: RIGHTS,
  ER_TABLEACCESS_DENIED_ERROR: RIGHTS,
  ER_HOST_NOT_PRIVILEGED: 'Let the server accept the user from the address of this machine.',
  ER_HOST_IS_BLOCKED: 'The server blocks this machine after failed connections: FLUSH HOSTS on the server.',
  ER_BAD_DB_ERROR: 'Create the database: CREATE DATABASE … CHARACTER SET utf8mb4.',
  HANDSHAKE_NO_SSL_SUPPORT: 'Switch TLS on at the server, or remove ?tls= from DATABASE_URL.',
  HANDSHAKE_SSL_ERROR:
    'The certificate of the server was not accepted: name its authority in DATABASE_CA_FILE, and the host that it is for in DATABASE_URL.',
  ER_CON_COUNT_ERROR:
    'The server has too many connections: raise max_connections, or run fewer processes; SHOW PROCESSLIST says who has them.',
  PROTOCOL_SEQUENCE_TIMEOUT:
    'The server accepted the connection but does not respond: look at its load and its log, or restart it.',
  PROTOCOL_CONNECTION_LOST: LOST,
  ECONNRESET: LOST,
  EPIPE: LOST,
  ER_SERVER_SHUTDOWN: LOST,
  ER_CONNECTION_KILLED: LOST,
  ER_LOCK_WAIT_TIMEOUT: LOCKED,
  ER_LOCK_DEADLOCK: LOCKED,
  ER_OPTION_PREVENTS_STATEMENT: READ_ONLY,
  ER_READ_ONLY_MODE: READ_ONLY,
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: READ_ONLY,
  ER_RECORD_FILE_FULL: FULL,
  ER_DISK_FULL: FULL,
  SQLITE_FULL: FULL,
  SQLITE_BUSY: 'Another process keeps the file locked: end it, or try again.',
  SQLITE_IOERR: 'The disk cannot be read or written: check its space and its health.',
  SQLITE_CORRUPT: 'The file is damaged: restore a backup.',
  SQLITE_CANTOPEN: WRITABLE,
  SQLITE_READONLY: WRITABLE,
  SQLITE_NOTADB: 'DATABASE_URL names a file that is not an SQLite database: correct it.',
};

/** Codes of SQLite without a name: libsql names few of the extended ones, whose lowest byte is the kind of error. */
const UNNAMED = /^UNKNOWN_SQLITE_ERROR_(\d+)$/;
const KINDS: Record<number, string> = {
  5: 'SQLITE_BUSY',
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

/** The name of the kind of error, if the driver has given its number only. */
export function readableCode(code: string): string {
  const unnamed = UNNAMED.exec(code)?.[1];
  return KINDS[Number(unnamed) & 0xff] ?? code;
}

/** What to do about an error of the driver with this code; undefined if nothing is known about it. */
export const knownAdvice = (code: string): string | undefined => ADVICE[readableCode(code)];

/** What to do about an error of the driver with this code. */
export const databaseAdvice = (code: string): string =>
  knownAdvice(code) ?? 'The log of a start has the whole cause.';
