import { Counter, Gauge, type Registry } from 'prom-client';
import type { Replicas } from '../database/replicas.js';

/** Watches how far replicas are behind, and what is read from them. */
export function watchReplicas(registry: Registry, replicas: Replicas): void {
  const registers = [registry];
  const lag: Gauge = new Gauge({
    name: 'tillgate_replica_lag_seconds',
    help: 'How far the replica is behind the primary, at least.',
    labelNames: ['replica'],
    registers,
    aggregator: 'max',
    collect: () => {
      for (const one of replicas.all) lag.set({ replica: one.name }, replicas.lagMs(one) / 1000);
    },
  });
  const usable: Gauge = new Gauge({
    name: 'tillgate_replica_usable',
    help: 'Whether the replica can be asked: 1, or 0 while it is down or not a replica of the primary.',
    labelNames: ['replica'],
    registers,
    aggregator: 'min',
    collect: () => {
      for (const one of replicas.all) usable.set({ replica: one.name }, one.unfit === null ? 1 : 0);
    },
  });
  const reads: Counter = new Counter({
    name: 'tillgate_reads_total',
    help: 'Statements that read for requests, by the server that was asked: a replica, or primary.',
    labelNames: ['server'],
    registers,
    collect: () => {
      reads.reset();
      reads.inc({ server: 'primary' }, replicas.primaryReads);
      for (const one of replicas.all) reads.inc({ server: one.name }, one.reads);
    },
  });
  const fallbacks: Counter = new Counter({
    name: 'tillgate_replica_fallbacks_total',
    help: 'How often the primary was asked for what a replica might have answered, by reason.',
    labelNames: ['reason'],
    registers,
    collect: () => {
      fallbacks.reset();
      for (const [reason, count] of replicas.fallbacks) fallbacks.inc({ reason }, count);
    },
  });
}
