const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;
export type StopSignal = keyof typeof SIGNALS;

/**
 * Aborted by the first SIGINT or SIGTERM, with the signal as its reason, so that what runs can come to an end in its own time. A second
 * signal ends the process at once: whoever sends it does not want to wait any longer.
 */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  const stop = (signal: NodeJS.Signals): void => {
    if (controller.signal.aborted) process.exit(statusOf(signal));
    controller.abort(signal);
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  return controller.signal;
}

/** The exit status that shells give to a process that a signal has ended. */
export function statusOf(signal: unknown): number {
  return SIGNALS[signal as StopSignal] ?? 1;
}
