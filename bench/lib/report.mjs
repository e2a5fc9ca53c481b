// Tables out of figures. Ratios are what travels between machines, so they stand beside each figure that depends on
// one.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { WORKLOADS } from './workloads.mjs';

export function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  if (sorted.length === 0) return NaN;
  return sorted.length % 2 === 1 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A table in Markdown, its columns as wide as their widest cell; numbers to the right. */
export function table(head, rows) {
  const widths = head.map((name, n) => Math.max(3, ...[name, ...rows.map(row => row[n])].map(cell => cell.length)));
  const line = cells =>
    `| ${cells.map((cell, n) => (n === 0 ? cell.padEnd(widths[n]) : cell.padStart(widths[n]))).join(' | ')} |`;
  const rule = `| ${widths.map((width, n) => (n === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`;
  return [line(head), rule, ...rows.map(line)].join('\n');
}

export const digits = (number, count) => (Number.isFinite(number) ? number.toFixed(count) : '-');
export const whole = number => (number < 100 ? digits(number, 1) : digits(number, 0));
export const times = number => (Number.isFinite(number) ? `${number.toFixed(2)}x` : '-');

/** One row for a workload and a server: the medians of its rounds. */
export function summaryOf(rounds) {
  const of = name => median(rounds.map(round => round[name]));
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    p50Alone: of('p50Alone'),
    cpuServer: of('cpuServer'),
    cpuPostgres: of('cpuPostgres'),
    cpu: of('cpu'),
    few: rounds.some(round => round.few),
  };
}

const HEAD = [
  'server',
  'requests/s',
  'of peer',
  'of ceiling',
  'p50 ms',
  'p99 ms',
  'p50 ms alone',
  'CPU s/1000: server',
  'PostgreSQL',
  'together',
  'of peer',
];

/** @param {{workload: string, rows: {server: string, kind: string, summary: object}[]}[]} results */
export function markdownOf({ title, conditions, results, memory }) {
  const parts = [`# ${title}`, conditions.map(line => `- ${line}`).join('\n')];
  for (const { workload, rows } of results) {
    const peer = fastestPeer(workload, rows);
    const ceiling = rows.find(({ kind }) => kind === 'limit');
    const cells = rows.map(({ server, summary }) => [
      `${server}${summary.few ? ' (few)' : ''}`,
      whole(summary.perSecond),
      times(summary.perSecond / peer?.summary.perSecond),
      times(summary.perSecond / ceiling?.summary.perSecond),
      ...[summary.p50, summary.p99, summary.p50Alone].map(ms => digits(ms, 2)),
      ...[summary.cpuServer, summary.cpuPostgres, summary.cpu].map(seconds => digits(seconds, 3)),
      times(summary.cpu / peer?.summary.cpu),
    ]);
    parts.push(`## ${workload}: ${WORKLOADS[workload]}`, `Peer: ${peer?.server ?? 'none'}.`, table(HEAD, cells));
  }
  parts.push(
    '## Memory',
    table(
      ['server', 'peak MiB'],
      memory.map(({ server, peakMiB }) => [server, digits(peakMiB, 0)]),
    ),
  );
  return `${parts.join('\n\n')}\n`;
}

/**
 * This build beside the one before: medians and quartiles of the ratios of each round, since a machine changes its
 * speed from round to round.
 */
export function againstBefore(results) {
  const rows = results.flatMap(({ workload, rows: measured }) => {
    const [now, before] = ['tillgate', 'before'].map(name => measured.find(({ server }) => server === name)?.rounds);
    if (!now || !before) return [];
    const ratios = of => now.map((round, n) => of(round) / of(before[n])).toSorted((a, b) => a - b);
    const at = (sorted, share) => times(sorted[Math.round((sorted.length - 1) * share)]);
    const spread = of => [0.25, 0.5, 0.75].map(share => at(ratios(of), share)).join(' / ');
    return [
      [workload, spread(({ perSecond }) => perSecond), spread(({ cpuServer }) => cpuServer), spread(({ cpu }) => cpu)],
    ];
  });
  return table(['now / before', 'requests/s', 'CPU of the server', 'CPU with PostgreSQL'], rows);
}

/**
 * What the ratios are of: the fastest of those peers that speak GraphQL, or for a workload over REST of those that
 * speak REST.
 */
export function fastestPeer(workload, rows) {
  const kinds = workload === 'W6' ? ['rest'] : ['graphql', 'postgraphile'];
  const peers = rows.filter(({ kind }) => kinds.includes(kind));
  return peers.toSorted((a, b) => b.summary.perSecond - a.summary.perSecond)[0];
}

export function machine() {
  const processors = cpus();
  return {
    platform: `${process.platform} ${process.arch}`,
    cpus: processors.length,
    model: processors[0]?.model.trim() ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function machineText({ cpus: count, model, memoryGiB, platform, node }) {
  return `${count} CPUs (${model}), ${memoryGiB} GiB, ${platform}, Node.js ${node}`;
}

/** Writes `<name>.json` and `<name>.md`, under another name if there are results of that name. */
export function writeResults(folder, name, results, text) {
  mkdirSync(folder, { recursive: true });
  let file = join(folder, name);
  for (let n = 2; existsSync(`${file}.json`); n++) file = join(folder, `${name}-${n}`);
  writeFileSync(`${file}.json`, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(`${file}.md`, text);
  console.log(`Written to ${file}.md and .json.`);
}
