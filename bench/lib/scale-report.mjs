// Tables of the set-ups past one process: each server beside the first of its set-up.
import { digits, median, summaryOf, table, times, whole } from './report.mjs';

/** The medians of a server's rounds, with those of each of its parts. */
export function partialSummaryOf(rounds) {
  const names = Object.keys(rounds[0].parts);
  const parts = Object.fromEntries(names.map(name => [name, median(rounds.map(round => round.parts[name]))]));
  const of = name => median(rounds.map(round => round[name]));
  return { ...summaryOf(rounds), parts, generator: of('generator'), strangers: of('strangers') };
}

export function ratiosOf(rounds, first) {
  const of = name => ratioOf(round => round[name], rounds, first);
  return { perSecond: of('perSecond'), cpu: of('cpu') };
}

/**
 * The median of the rounds' ratios: a machine changes its speed from round to round, and a round's servers come one
 * after the other.
 */
const ratioOf = (figure, rounds, first) => median(rounds.map((round, n) => figure(round) / figure(first[n])));

/** @param {import('./set-ups.mjs').Bound} bound */
export function boundsOf({ of, figure, most, least }, results) {
  const at = (limit, workload) => (typeof limit === 'object' ? limit[workload] : limit);
  return results.flatMap(({ workload, rows: [first, ...others] }) =>
    others.flatMap(({ server, rounds }) => {
      const [highest, lowest] = [at(most, workload), at(least, workload)];
      if (highest === undefined && lowest === undefined) return [];
      const ratio = ratioOf(figure, rounds, first.rounds);
      const holds = ratio <= (highest ?? Infinity) && ratio >= (lowest ?? 0);
      return [{ workload, server, of, ratio, ...(highest ? { most: highest } : { least: lowest }), holds }];
    }),
  );
}

export function scaleMarkdown(all, where) {
  const { title, date, load, sizes, rounds, seconds, generator, connections, memory } = all;
  const busy = load.busy ? ': busy, so its requests/s say little' : '';
  const conditions = [
    where,
    `${sizes.accounts} accounts with ${sizes.beneficiaries} beneficiaries each, ${sizes.transactions} transactions, ${sizes.largest} of them in one account`,
    `medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'} of ${seconds} s with ${generator}, ${connections} connections, ${date.slice(0, 10)}`,
    `before the start others used ${digits(load.processors, 2)} processors${busy}`,
    `memory of the gateway's processes, peak: ${memory.map(({ server, peakMiB }) => `${server} ${digits(peakMiB, 0)} MiB`).join(', ')}`,
  ];
  return `${[`# ${title}`, conditions.map(line => `- ${line}`).join('\n'), scaleTable(all), boundTable(all)].join('\n\n')}\n`;
}

function scaleTable({ results }) {
  const names = [...new Set(results.flatMap(({ rows }) => rows.flatMap(({ summary }) => Object.keys(summary.parts))))];
  const head = [
    '',
    'requests/s',
    'ratio',
    ...names.map(name => `CPU ms: ${name}`),
    'together',
    'ratio',
    'p50 ms',
    'p99 ms',
    'alone',
    'others',
  ];
  const lines = results.flatMap(({ workload, rows }) => {
    return rows.map(({ server, summary, ratios }) => [
      `${workload} ${server}`,
      whole(summary.perSecond),
      times(ratios.perSecond),
      // Seconds for 1,000 requests are milliseconds for one.
      ...names.map(name => digits(summary.parts[name], 3)),
      digits(summary.cpu, 3),
      times(ratios.cpu),
      ...[summary.p50, summary.p99, summary.p50Alone].map(ms => digits(ms, 2)),
      digits(summary.strangers, 2),
    ]);
  });
  return table(head, lines);
}

/** The short form: what a request costs there, and its ratio to the first server. */
export function ratioTable({ results }) {
  const names = [...new Set(results.flatMap(({ rows }) => rows.flatMap(({ summary }) => Object.keys(summary.parts))))];
  const lines = results.flatMap(({ workload, rows }) =>
    rows.map(({ server, summary, ratios }) => [
      `${workload} ${server}`,
      ...names.map(name => digits(summary.parts[name], 3)),
      digits(summary.cpu, 3),
      times(ratios.cpu),
      whole(summary.perSecond),
      times(ratios.perSecond),
      digits(summary.p50Alone, 2),
    ]),
  );
  return table(
    ['', ...names.map(name => `${name} ms`), 'CPU ms', 'ratio', 'requests/s', 'ratio', 'p50 ms alone'],
    lines,
  );
}

export function boundTable({ bounds }) {
  const limit = ({ most, least }) =>
    most === undefined ? `${digits(least, 2)} or more` : `${digits(most, 2)} or less`;
  return table(
    ['', 'ratio of', 'ratio', 'bound', 'holds'],
    bounds.map(bound => [
      `${bound.workload} ${bound.server}`,
      bound.of,
      digits(bound.ratio, 3),
      limit(bound),
      bound.holds ? 'yes' : 'NO',
    ]),
  );
}
