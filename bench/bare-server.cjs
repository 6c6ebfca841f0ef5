/** The ceiling: `node:http` that reads a request's body and answers the bytes it was given. Started by bare.cjs. */
const { createServer } = require('node:http');

process.once('message', ({ status, headers, body }) => {
  const server = createServer((request, response) => {
    request.resume();
    request.once('end', () => {
      response.writeHead(status, headers);
      response.end(body);
    });
  });
  server.listen(0, '127.0.0.1', () => process.send(server.address().port));
});
