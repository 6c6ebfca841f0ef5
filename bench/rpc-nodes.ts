/** A process of RPC nodes: three that are well, and two for each way of failing. Tells its parent their URLs. */
import { RpcNode, WAYS } from '../test/support/hostile-nodes';

/** URLs of three nodes that are well, and of two for each way of failing. */
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
