import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import type { Job } from 'kubernetes-types/batch/v1.js';
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js';
import type { Deployment } from 'kubernetes-types/apps/v1.js';
import { parseAllDocuments } from 'yaml';
import { readConfig } from '../../src/app/config.js';
import { ROOT } from '../docs/fences.js';

/**
 * What a gateway that stops may take once it accepts nothing more: a second for open connections, and 10 s for running
 * requests.
 */
const DRAIN_MS = 11_000;

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
}

let manifests: Manifest[];
beforeAll(async () => {
  const documents = parseAllDocuments(await readFile(join(ROOT, 'deploy/kubernetes.yaml'), 'utf8'));
  manifests = documents.map(document => {
    expect([document.errors, document.warnings]).toEqual([[], []]);
    return document.toJS() as Manifest;
  });
});

const one = <Kind>(kind: string): Kind => manifests.find(manifest => manifest.kind === kind) as Kind;

/** What Kubernetes would refuse, or pass over, in these: fields that are missing, unknown or of another type. */
async function mistakesIn(all: readonly Manifest[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-kubernetes-'));
  const lines = all.map(({ apiVersion, kind, ...rest }, index) => {
    const [name = '', version] = apiVersion.includes('/') ? apiVersion.split('/') : ['core', apiVersion];
    const group = name.replace('.k8s.io', '');
    const text = JSON.stringify({ apiVersion, kind, ...rest }, null, 2);
    return `import type { ${kind} as Kind${index} } from 'kubernetes-types/${group}/${version}';\nexport const manifest${index}: Kind${index} = ${text};\n`;
  });
  await writeFile(join(folder, 'manifests.ts'), lines.join('\n'));
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const options = ['--noEmit', '--strict', '--module', 'preserve', '--ignoreConfig', 'manifests.ts'];
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), options, { cwd: folder, encoding: 'utf8' });
  await rm(folder, { recursive: true });
  return stdout + stderr;
}

test('the manifests have the fields that Kubernetes knows, and all that it needs', async () => {
  expect(manifests.map(({ kind }) => kind)).toEqual([
    'Job',
    'Deployment',
    'Service',
    'PodDisruptionBudget',
    'NetworkPolicy',
    'NetworkPolicy',
  ]);
  expect(await mistakesIn(manifests)).toBe('');
  const mistaken = JSON.parse(JSON.stringify(one('Deployment'))) as Record<string, { replica?: number }>;
  (mistaken['spec'] as { replica?: number }).replica = 2;
  expect(await mistakesIn([mistaken as unknown as Manifest])).toMatch(/replica.* does not exist/);
});

test('a process that ends has the time that it needs, and the settings are ones that are read', () => {
  const { terminationGracePeriodSeconds, containers } = one<Deployment>('Deployment').spec?.template.spec ?? {};
  const env = Object.fromEntries((containers?.[0]?.env ?? []).map(({ name, value }) => [name, value]));
  expect(Object.keys(env)).toEqual(['SHUTDOWN_GRACE_MS']);
  const { shutdownGraceMs } = readConfig(env);
  expect(Number(terminationGracePeriodSeconds) * 1000).toBeGreaterThan(shutdownGraceMs + DRAIN_MS);
});

test('what runs is of one release, has no rights, and is found by its Service and its budget', () => {
  const specs = [one<Job>('Job'), one<Deployment>('Deployment')].map(({ spec }) => spec?.template.spec);
  expect(new Set(specs.map(spec => spec?.containers[0]?.image)).size).toBe(1);
  for (const spec of specs) {
    expect(spec?.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
    expect(spec?.containers[0]?.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
  }
  const { labels } = one<Deployment>('Deployment').spec?.template.metadata ?? {};
  expect(one('Service')).toMatchObject({ spec: { selector: labels } });
  expect(one('PodDisruptionBudget')).toMatchObject({ spec: { selector: { matchLabels: labels } } });
  expect(one<Job>('Job').spec?.template.metadata?.labels).not.toEqual(labels);
});

test('each Pod has a policy of whom it reaches, and none but the gateway is reached', () => {
  const policies = manifests.filter(({ kind }) => kind === 'NetworkPolicy') as NetworkPolicy[];
  const labels = [one<Deployment>('Deployment'), one<Job>('Job')].map(({ spec }) => spec?.template.metadata?.labels);
  expect(policies.map(({ spec }) => spec?.podSelector?.matchLabels)).toEqual(labels);
  for (const { spec } of policies) expect(spec?.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(policies.map(({ spec }) => spec?.ingress?.length ?? 0)).toEqual([1, 0]);
});
