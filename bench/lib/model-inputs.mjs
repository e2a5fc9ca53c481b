// Tables of what was measured, for docs/scale.md.
import { digits, table, whole } from './report.mjs';
import { boundTable, ratioTable } from './scale-report.mjs';
import { bytesOf } from './sizes.mjs';
import { WORKLOADS } from './workloads.mjs';

const NOT_YET = 'Not measured yet.';
/**
 * The share of its processors that a machine is planned with, so that there is room for peaks and for a machine that
 * fails.
 */
export const PLANNED = 0.6;

/** CPU ms of gateway and PostgreSQL for each workload, of one process on one database. */
export function costs(measured) {
  const results = measured['scale-workers']?.results ?? [];
  return Object.fromEntries(
    results.map(({ workload, rows: [{ summary }] }) => [
      workload,
      { gateway: summary.parts.gateway, postgres: summary.parts.PostgreSQL },
    ]),
  );
}

export function carriesTable(measured) {
  const of = Object.entries(costs(measured));
  if (of.length === 0) return NOT_YET;
  const several = measured['scale-workers'].results;
  return table(
    [
      '',
      'gateway ms',
      'PostgreSQL ms',
      'one core, requests/s',
      'one gateway process',
      '16 cores at 60 %',
      'measured here, 1 and 2 workers',
    ],
    of.map(([workload, { gateway, postgres }]) => [
      `${workload} ${WORKLOADS[workload]}`,
      ...[gateway, postgres].map(ms => digits(ms, 3)),
      whole(1000 / (gateway + postgres)),
      whole(1000 / gateway),
      whole((16 * PLANNED * 1000) / (gateway + postgres)),
      several
        .find(one => one.workload === workload)
        .rows.map(({ summary }) => whole(summary.perSecond))
        .join(', '),
    ]),
  );
}

export function setUpTables(measured) {
  return Object.fromEntries(
    ['workers', 'pooler', 'replicas', 'citus'].map(name => {
      const all = measured[`scale-${name}`];
      if (!all) return [name, NOT_YET];
      const when = `${all.machine.cpus} processors, PostgreSQL ${all.postgres}, ${all.date.slice(0, 10)}${all.load.busy ? ', on a busy machine: compare the CPU alone' : ''}.`;
      return [name, [when, ratioTable(all), boundTable(all)].join('\n\n')];
    }),
  );
}

export function growthTables({ growth }) {
  if (!growth) return { rows: NOT_YET, writes: NOT_YET };
  const { imported, commands } = growth;
  const shown = Object.entries(imported).filter(([, { rows }]) => rows >= 1000);
  const rows = table(
    ['table', 'bytes a row', 'its indexes', 'together'],
    shown.map(([name, of]) => {
      const { heap, toast, indexes, all } = bytesOf(of);
      return [name, ...[heap + toast, indexes, all].map(bytes => digits(bytes, 0))];
    }),
  );
  const writes = table(
    ['', 'bytes in tables', 'bytes of log', 'CPU ms: gateway', 'PostgreSQL'],
    Object.entries(commands).map(([name, { log, tables, cpuGatewayMs, cpuPostgresMs }]) => [
      name,
      ...[bytesIn(tables), log.bytes].map(bytes => digits(bytes, 0)),
      ...[cpuGatewayMs, cpuPostgresMs].map(ms => digits(ms, 3)),
    ]),
  );
  return { rows, writes };
}

export const bytesIn = tables => Object.values(tables).reduce((sum, { bytes }) => sum + bytes, 0);

export function partitionsTables({ partitions }) {
  if (!partitions) return NOT_YET;
  const { rows, removal, years } = partitions;
  const cells = rows.map(({ name, one, by_year: parts }) => [
    name,
    ...[one.us, parts.us].map(us => digits(us, 0)),
    ...[one.pages, parts.pages].map(pages => digits(pages, 0)),
  ]);
  const gone = Object.entries(removal).map(([name, { ms, log }]) => [name, digits(ms, 0), digits(log / 2 ** 20, 1)]);
  return [
    table([`${years} years`, 'one table, µs', 'by year, µs', 'one table, pages', 'by year, pages'], cells),
    table(['the oldest year', 'ms', 'MiB of log'], gone),
  ].join('\n\n');
}
