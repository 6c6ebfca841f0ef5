import { createConnection } from 'mysql2/promise';

/** Makes an empty database on a private server; returns its address as `DATABASE_URL` takes it. */
export async function createDatabase(server: { url: string }, name = 'bench'): Promise<string> {
  const connection = await createConnection(server.url);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.end();
  return `${server.url}/${name}`;
}
