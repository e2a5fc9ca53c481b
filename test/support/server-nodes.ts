/**
 * The nodes of the test server: itself, and the workers of a Citus cluster, which `npm run long -- citus` names by
 * their ports.
 */
export function nodesOf(serverUrl: string): string[] {
  const ports = (process.env['TEST_CITUS_WORKERS'] ?? '').split(',').filter(Boolean);
  return [serverUrl, ...ports.map(port => Object.assign(new URL(serverUrl), { port }).href)];
}

/** Whether the test server is a Citus cluster. */
export const onCitus = process.env['TEST_CITUS_WORKERS'] !== undefined;
