import { runInThisContext } from 'node:vm';

/** Runs a test with NODE_TLS_REJECT_UNAUTHORIZED=0 in the environment that Node reads, of which Jest has a copy. */
export async function withUnverifiedTls(run: () => Promise<void>): Promise<void> {
  const { env } = runInThisContext('process') as NodeJS.Process;
  env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  try {
    await run();
  } finally {
    delete env.NODE_TLS_REJECT_UNAUTHORIZED;
  }
}
