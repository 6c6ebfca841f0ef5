/** A process of RPC nodes: three that are well, and two for each way of failing. Tells its parent their URLs. */
const { RpcNode, WAYS } = require('../test/support/hostile-nodes.cjs');

async function main() {
  const start = (options) => RpcNode.start(options).then(({ url }) => url);
  const well = [await start(), await start(), await start()];
  const failing = {};
  for (const way of Object.keys(WAYS)) {
    const options = { way, tellsChain: true };
    failing[way] = [await start(options), await start(options)];
  }
  process.send({ well, failing });
}

process.on('disconnect', () => process.exit());

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
