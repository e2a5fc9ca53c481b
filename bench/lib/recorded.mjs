// The ratios of CPU to the fastest peer that a release had, so that the next one cannot lose them unnoticed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fastestPeer } from './report.mjs';
import { Failure } from './run.mjs';

const RECORDED = join(import.meta.dirname, '../recorded.json');
/** A workload may take so much more CPU, as a ratio, than the recorded figures. */
const MOST_LOST = 1.1;

/** The CPU a request of the gateway with its PostgreSQL, beside that of the fastest peer, by workload. */
function ratiosOf(results) {
  const ratios = {};
  for (const { workload, rows } of results) {
    const gateway = rows.find(({ server }) => server === 'tillgate');
    const peer = fastestPeer(workload, rows);
    if (!gateway || !peer) continue;
    ratios[workload] = { peer: peer.server, cpu: Number((gateway.summary.cpu / peer.summary.cpu).toFixed(3)) };
  }
  return ratios;
}

/** Writes the ratios of this run, which later ones are checked against. */
export function record(results) {
  writeFileSync(RECORDED, `${JSON.stringify(ratiosOf(results), null, 2)}\n`);
  console.log(`Recorded in ${RECORDED}.`);
}

/** Throws `Failure` where a workload takes more than a tenth more CPU beside the fastest peer than it did. */
export function mustKeep(results) {
  const recorded = JSON.parse(readFileSync(RECORDED, 'utf8'));
  const lost = Object.entries(ratiosOf(results)).flatMap(([workload, { cpu }]) => {
    const before = recorded[workload]?.cpu;
    if (!(cpu > before * MOST_LOST)) return [];
    return [`${workload}: ${cpu.toFixed(2)} of the CPU of the fastest peer, ${before.toFixed(2)} recorded`];
  });
  if (lost.length > 0) throw new Failure(`CPU was lost.\n${lost.join('\n')}`);
  console.log('No workload lost a tenth of its recorded ratio of CPU.');
}
