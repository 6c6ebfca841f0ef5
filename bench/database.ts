import { createConnection } from 'mysql2/promise';

/** Creates an empty database on a private server. Returns its URL in the form of `DATABASE_URL`. */
export async function createDatabase(server: { url: string }, name = 'bench'): Promise<string> {
  const connection = await createConnection(server.url);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.end();
  return `${server.url}/${name}`;
}
