import { useEffect, useState } from 'preact/hooks';

/** A search is sent after this pause in typing, so that not every letter sends one. */
const PAUSE_MS = 180;

/** The value once it has stayed the same for a moment. */
export function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
