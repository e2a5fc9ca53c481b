import { useEffect } from 'preact/hooks';

/** The pause between two looks at work that goes on. */
const LOOK_EVERY_MS = 1500;

/** Asks again, and again, while something goes on and somebody looks at the page. */
export function useReloading(goesOn: boolean, reload: () => void): void {
  useEffect(() => {
    if (!goesOn) return;
    const timer = setInterval(() => document.hidden || reload(), LOOK_EVERY_MS);
    return () => clearInterval(timer);
  }, [goesOn, reload]);
}
