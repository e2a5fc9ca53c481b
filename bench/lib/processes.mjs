// What processes cost, as Linux tells it in /proc. Elsewhere there are no figures, and their columns stay empty.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');
const ticksPerSecond = hasProc ? Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' })) : 0;

/**
 * CPU seconds that a process and all below it have used, with those of its children that have ended. NaN where nobody
 * knows.
 */
export function cpuSeconds(root) {
  if (!hasProc) return NaN;
  return tree(root).reduce((sum, { ticks }) => sum + ticks, 0) / ticksPerSecond;
}

/** A process and all below it, by id. */
export function processesOf(root) {
  return hasProc ? tree(root).map(({ pid }) => pid) : [root];
}

function tree(root) {
  const all = new Map();
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const text = read(`/proc/${name}/stat`);
    if (text === null) continue;
    // The second field is the program's name and may hold spaces; state, ppid and so on follow its closing bracket.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, part) => sum + Number(part), 0);
    all.set(Number(name), { pid: Number(name), parent: fields[1], ticks });
  }
  const childrenOf = Map.groupBy(all.values(), ({ parent }) => Number(parent));
  const found = [];
  for (const open = [root]; open.length > 0;) {
    const pid = open.pop();
    if (all.has(pid)) found.push(all.get(pid));
    open.push(...(childrenOf.get(pid) ?? []).map(child => child.pid));
  }
  return found;
}

/** CPU seconds that the whole machine has been busy, with what its host has taken from it. NaN where nobody knows. */
export function busySeconds() {
  if (!hasProc) return NaN;
  const [user, nice, system, , , irq, softirq, steal] = read('/proc/stat')
    .split('\n')[0]
    .trim()
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return (user + nice + system + irq + softirq + steal) / ticksPerSecond;
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
