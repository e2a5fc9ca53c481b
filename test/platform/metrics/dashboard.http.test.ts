import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { keyed, startTestGateway, unique } from '../../support/gateway.js';
import { POSTED, Stream, subscriptions } from '../graphql/subscriptions/listening.js';
import { leastBeneficiary } from '../../support/given.js';

const FUNCTIONS = [
  'absent',
  'sum',
  'max',
  'min',
  'rate',
  'increase',
  'topk',
  'histogram_quantile',
  'by',
  'label_values',
];

/** The names of metrics in a query, without its labels and functions. */
function namesIn(query: string): string[] {
  const bare = query
    .replace(/\{[^}]*\}/g, '')
    .replace(/\[[^\]]*\]/g, '')
    .replace(/\bby \([^)]*\)/g, '');
  return [...bare.matchAll(/[a-z][a-z0-9_]{2,}/g)].map(([name]) => name).filter(name => !FUNCTIONS.includes(name));
}

/** The names of labels that a query chooses or groups by. */
function labelsIn(query: string): string[] {
  const chosen = [...query.matchAll(/([a-z]+)=~?"/g)].map(([, name = '']) => name);
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/));
  return [...chosen, ...grouped];
}

interface Dashboard {
  readonly panels: readonly { targets: { expr: string }[]; gridPos: { x: number; y: number } }[];
  readonly templating: { readonly list: readonly { query: string }[] };
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

test('the dashboard and the alerts ask for metrics and labels that there are', async () => {
  // Metrics of replicas are there where replicas are set up; nobody listens at this address.
  const replicas = { urls: ['postgres://127.0.0.1:9/nobody'], maxLagMs: 1000, waitMs: 0 };
  const gateway = await startTestGateway({ replicas });
  const { account, caller } = await gateway.given.account();
  const path = `/accounts/${account}/beneficiaries`;
  await gateway.as(caller).rest.post(path, leastBeneficiary(), keyed(unique('key')));
  await gateway.as(caller).rest.get(path);
  await gateway.as(null).rest.get(path);
  const stream = await Stream.open(gateway, caller, { query: POSTED, variables: { account } });
  await subscriptions(gateway, 1);
  stream.close();
  await subscriptions(gateway, 0);
  let text = '';
  while (!text.includes('tillgate_refusals_total{')) text = (await gateway.as(null).rest.get('/metrics')).text;
  await gateway.stop();
  const series = text.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  // A gateway of one process has no workers; test/app/workers reads these two.
  const ofWorkers = ['tillgate_workers', 'tillgate_worker_deaths_total'];
  const names = new Set([...series.map(line => /^\w+/.exec(line)?.[0]), ...ofWorkers]);
  // Prometheus itself adds these two, and the series `up`.
  const labels = new Set([
    'job',
    'instance',
    ...series.flatMap(line => [...line.matchAll(/(\w+)="/g)].map(([, name]) => name)),
  ]);

  const file = new URL('../../../deploy/grafana-dashboard.json', import.meta.url);
  const { panels, templating } = JSON.parse(await readFile(file, 'utf8')) as Dashboard;
  const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(queries.length).toBeGreaterThan(20);
  const { groups } = parse(await readFile(new URL('prometheus-rules.yml', file), 'utf8')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules.map(({ expr }) => expr));
  expect(alerts.length).toBeGreaterThan(5);
  const asked = [...queries, ...alerts];
  expect(asked.flatMap(query => namesIn(query).filter(name => !names.has(name) && name !== 'up'))).toEqual([]);
  expect(asked.flatMap(query => labelsIn(query).filter(name => !labels.has(name)))).toEqual([]);
  expect(templating.list.map(({ query }) => query)).toContain('label_values(tillgate_pool_limit, job)');
  // What the gateway counts itself is all on it.
  const shown = queries.join(' ');
  const own = [...names].filter(name => name?.startsWith('tillgate_'));
  const missing = own.filter(name => !shown.includes(`${name}`.replace(/_(bucket|sum|count)$/, '')));
  expect(missing).toEqual([]);
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length);
});
