const { createConnection } = require('mysql2/promise');

/** Makes an empty database on a private server; answers its address as `DATABASE_URL` takes it. */
async function createDatabase(server, name = 'bench') {
  const connection = await createConnection(server.url);
  await connection.query(`CREATE DATABASE ${name} CHARACTER SET utf8mb4`);
  await connection.end();
  return `${server.url}/${name}`;
}

module.exports = { createDatabase };
