/** A process with RPC nodes: three healthy ones, and two for each way of failing. Sends their URLs to its parent. */
import { RpcNode, WAYS } from '../test/support/hostile-nodes';

/** The URLs of three healthy nodes, and of two for each way of failing. */
export interface RpcNodeUrls {
  well: string[];
  failing: Record<string, string[]>;
}

async function main(): Promise<void> {
  const start = async (options?: Parameters<typeof RpcNode.start>[0]): Promise<string> =>
    (await RpcNode.start(options)).url;
  const well = [await start(), await start(), await start()];
  const failing: RpcNodeUrls['failing'] = {};
  for (const way of Object.keys(WAYS)) {
    const options = { way, tellsChain: true };
    failing[way] = [await start(options), await start(options)];
  }
  process.send?.({ well, failing } satisfies RpcNodeUrls);
}

process.on('disconnect', () => process.exit());

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
