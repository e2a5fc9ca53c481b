// What processes cost, as Linux tells it in /proc. Elsewhere there are no figures, and their columns stay empty.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;

/** CPU seconds that a process and all below it have used, with those of its children that have ended. NaN where nobody knows. */
export function cpuSeconds(root) {
  if (!hasProc) return NaN;
  const childrenOf = new Map();
  const ticksOf = new Map();
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const text = read(`/proc/${pid}/stat`);
    if (text === null) continue;
    // The second field is the program's name and may hold spaces; state, ppid and so on follow its closing bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const parent = Number(fields[1]);
    if (!childrenOf.has(parent)) childrenOf.set(parent, []);
    childrenOf.get(parent).push(Number(pid));
    ticksOf.set(
      Number(pid),
      fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0),
    );
  }
  let ticks = 0;
  for (const open = [root]; open.length > 0;) {
    const pid = open.pop();
    ticks += ticksOf.get(pid) ?? 0;
    open.push(...(childrenOf.get(pid) ?? []));
  }
  return ticks / ticksPerSecond;
}

/** The most memory that a process has had resident, in MiB. NaN where nobody knows. */
export function peakMiB(pid) {
  return memoryMiB(pid, 'VmHWM');
}

/** The memory that a process has resident now, likewise. */
export function residentMiB(pid) {
  return memoryMiB(pid, 'VmRSS');
}

function memoryMiB(pid, name) {
  const [, kib] = new RegExp(`${name}:\\s+(\\d+)`).exec(read(`/proc/${pid}/status`) ?? '') ?? [];
  return kib === undefined ? NaN : Number(kib) / 1024;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
