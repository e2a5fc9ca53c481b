import type { Worker } from 'node:cluster';

/**
 * The messages that Node.js' cluster sends with a connection, and that the process sends when it has it; neither is
 * declared.
 */
interface ClusterMessage {
  readonly act?: string;
  readonly seq?: number;
  readonly ack?: number;
}

/**
 * Ends connections that were on their way to a process when it died. Node.js keeps its own end of a connection open
 * until the process says that it has it, and forgets it if that never comes (`RoundRobinHandle` in its sources): the
 * client would wait for an answer without an end.
 */
export function endConnectionsLostWith({ process: child }: Worker): void {
  const passed = new Map<number, { close(): void }>();
  const send = child.send.bind(child) as (...args: unknown[]) => boolean;
  child.send = (...args: unknown[]): boolean => {
    const [message, handle] = args as [ClusterMessage, { close(): void } | undefined];
    if (message.act === 'newconn' && message.seq !== undefined && handle) passed.set(message.seq, handle);
    return send(...args);
  };
  child.on('internalMessage' as 'message', message => {
    const { ack } = message as ClusterMessage;
    if (ack !== undefined) passed.delete(ack);
  });
  child.once('exit', () => {
    for (const handle of passed.values()) handle.close();
    passed.clear();
  });
}
