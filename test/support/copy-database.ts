import { createConnection } from 'mysql2/promise';

/** Copies the tables of a database on MySQL or MariaDB with their rows into another one that is empty. */
export async function copyDatabase(fromUrl: string, toUrl: string): Promise<void> {
  const options = { dateStrings: true, jsonStrings: true, supportBigNumbers: true, bigNumberStrings: true };
  const [from, to] = await Promise.all([fromUrl, toUrl].map((uri) => createConnection({ uri, ...options })));
  if (!from || !to) return;
  // Tables refer to others that come later.
  await to.query('SET foreign_key_checks = 0');
  const [tables] = await from.query<never[]>('SHOW TABLES');
  for (const table of tables.flatMap((row) => Object.values<string>(row))) {
    const [[shown]] = await from.query<never[]>(`SHOW CREATE TABLE ${table}`);
    await to.query(shown!['Create Table']);
    const [rows] = await from.query<never[]>(`SELECT * FROM ${table}`);
    for (const row of rows) await to.query(`INSERT INTO ${table} SET ?`, [row]);
  }
  await Promise.all([from.end(), to.end()]);
}
