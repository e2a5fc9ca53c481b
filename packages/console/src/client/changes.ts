import { useEffect } from 'preact/hooks';

const listeners = new Set<() => void>();

/** Tells every list and record on the screen that the gateway may have newer data. */
export function tellChanged(): void {
  for (const listener of listeners) listener();
}

/** Calls back after a command was carried out, and when something happened at the gateway. */
export function useChanges(listener: () => void): void {
  useEffect(() => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  }, [listener]);
}
