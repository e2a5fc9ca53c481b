const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof SIGNALS;

/** Ctrl-C under `npm run` arrives twice, from the terminal and from npm, a moment apart. The two count as one. */
const ECHO_MS = 300;

/**
 * Aborted by the first SIGINT or SIGTERM, with the signal as its reason, so that running work can finish. A second
 * signal ends the process at once.
 */
export function stopSignal(process: Pick<NodeJS.Process, 'on' | 'exit'>): AbortSignal {
  const controller = new AbortController();
  let firstMs = 0;
  const stop = (signal: NodeJS.Signals): void => {
    if (!controller.signal.aborted) {
      firstMs = performance.now();
      controller.abort(signal);
    } else if (performance.now() - firstMs > ECHO_MS) {
      process.exit(statusOf(signal));
    }
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  return controller.signal;
}

/** The exit status that shells give to a process that a signal has ended. */
export function statusOf(signal: unknown): number {
  return SIGNALS[signal as StopSignal] ?? 1;
}
