import 'reflect-metadata';
import { poolModeOfRun } from '../support/pooler.js';
import { storm, type Fault } from './storm.js';

/** `--citus`: on a cluster of a coordinator and two workers, of which one is killed again and again. */
const isCitus = process.argv.includes('--citus');
const writesAt = process.argv.indexOf('--writes');
const WRITES = writesAt < 0 ? 20_000 : Number(process.argv[writesAt + 1]);
const ROUNDS = Math.ceil(WRITES / 700);

function rounds(...faults: Fault[]): Fault[] {
  return Array.from({ length: ROUNDS }, () => faults).flat();
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(2));

const tell = (line: string) => void process.stdout.write(`${new Date().toISOString()} ${line}\n`);

const figures = await storm(
  {
    writes: WRITES,
    clients: 16,
    accounts: 40,
    workers: 2,
    isCitus,
    withinMs: 18e5,
    faults: [
      rounds(
        'gateway',
        'worker',
        'pause',
        'gateway',
        'worker',
        ...(poolModeOfRun() === null ? [] : (['pooler'] as const)),
      ),
      rounds('cut after', 'cut before', 'postmaster', 'cut after', 'session', 'cut before'),
      ...(isCitus ? [rounds('node')] : []),
    ],
  },
  tell,
);
const { wrong, lost, doubled, wrongReplays, wrongAccounts, unfed, logged, ...counted } = figures;
// The library of jobs tells of every connection that it lost.
const told = logged.filter(line => !line.includes('"jobs":true'));
for (const [name, list] of Object.entries({ wrong, lost, doubled, wrongReplays, wrongAccounts, unfed, told })) {
  for (const line of list.slice(0, 5)) tell(`${name}: ${line.slice(0, 2000)}`);
}
tell(
  JSON.stringify({
    ...counted,
    wrong: wrong.length,
    lost: lost.length,
    doubled: doubled.length,
    logged: logged.length,
    wrongReplays: wrongReplays.length,
    wrongAccounts: wrongAccounts.length,
    unfed: unfed.length,
  }),
);
process.exitCode = [wrong, lost, doubled, wrongReplays, wrongAccounts, unfed].some(list => list.length > 0) ? 1 : 0;
