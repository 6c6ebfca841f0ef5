/** A database that the service writes and its observer reads. */
const { randomBytes } = require('node:crypto');
const { mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const Sqlite = require('libsql');
const { createConnection } = require('mysql2/promise');

class SqliteFile {
  static create() {
    const database = new SqliteFile();
    database.folder = mkdtempSync(join(tmpdir(), 'relayer-sqlite-'));
    database.file = join(database.folder, 'relayer.sqlite');
    database.url = `sqlite:${database.file}`;
    database.newId = 'lower(hex(randomblob(16)))';
    return database;
  }

  query(statement) {
    const connection = new Sqlite(this.file);
    try {
      connection.pragma('busy_timeout = 10000');
      const prepared = connection.prepare(statement);
      return Promise.resolve(prepared.reader ? prepared.all() : prepared.run());
    } finally {
      connection.close();
    }
  }

  drop() {
    rmSync(this.folder, { recursive: true, force: true });
    return Promise.resolve();
  }
}

class ServerDatabase {
  /** @param url of the server */
  static async create(url) {
    const database = new ServerDatabase();
    database.server = url;
    database.name = `deliveries_${randomBytes(6).toString('hex')}`;
    database.url = `${url}/${database.name}`;
    database.newId = 'uuid()';
    await query(url, `CREATE DATABASE ${database.name} CHARACTER SET utf8mb4`);
    return database;
  }

  query(statement) {
    return query(this.url, statement);
  }

  async drop() {
    await query(this.server, `DROP DATABASE ${this.name}`);
  }
}

async function query(url, statement) {
  const connection = await createConnection(url);
  try {
    return (await connection.query(statement))[0];
  } finally {
    await connection.end();
  }
}

module.exports = { SqliteFile, ServerDatabase };
