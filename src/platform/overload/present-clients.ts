/** The time for which a client counts as present after its last request. */
const PRESENT_MS = 1000;

/** The client that was here last, and the last one before it that is another. */
let last = { client: '', atMs: -Infinity };
let another = last;

/** Notes that a client is here. */
export function notePresence(client: string): void {
  const nowMs = performance.now();
  if (last.client !== client) another = last;
  last = { client, atMs: nowMs };
}

/** True while more than one client is here. A client that is alone makes nobody wait, so nothing holds it up. */
export function hasSeveralClients(): boolean {
  return performance.now() - another.atMs < PRESENT_MS;
}
