// Attackers come from machines of their own. Here they share two processors with what they attack, and what they take
// from it by running is no finding about the gateway.
import { constants, setPriority } from 'node:os';

/** Lets the present thread run only where nothing else does. On Linux priorities are of threads, elsewhere of processes. */
export function giveWay() {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW);
}
