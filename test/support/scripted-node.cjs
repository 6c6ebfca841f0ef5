/** An EVM node on the loopback interface that answers what it is told to; for tests and for benchmarks. */
const { once } = require('node:events');
const { createServer } = require('node:http');

const WELL = {
  status: 200,
  results: {
    eth_getTransactionCount: '0x0',
    eth_getBalance: '0xde0b6b3a7640000',
  },
};

class ScriptedNode {
  static async start(chainId) {
    const node = new ScriptedNode();
    node.chainId = chainId;
    node.calls = 0;
    node.be({});
    node.server = createServer((request, response) => node.answer(request, response));
    node.server.listen(0, '127.0.0.1');
    await once(node.server, 'listening');
    return node;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}`;
  }

  be({ status = WELL.status, ...results }) {
    this.status = status;
    this.results = { eth_chainId: `0x${this.chainId.toString(16)}`, ...WELL.results, ...results };
  }

  async answer(request, response) {
    this.calls += 1;
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { id, method } = JSON.parse(body);
    const result = this.results[method];
    if (result === 'hang') return;
    const said = typeof result === 'string' ? { result } : { error: result };
    response.writeHead(this.status, { 'content-type': 'application/json' });
    response.end(this.status === 200 ? JSON.stringify({ jsonrpc: '2.0', id, ...said }) : '');
  }

  async stop() {
    this.server.close();
    this.server.closeAllConnections();
    await once(this.server, 'close');
  }
}

module.exports = { ScriptedNode };
