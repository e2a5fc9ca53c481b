// Writes dist/vex.cdx.json, a CycloneDX VEX that goes with the SBOM: what vex.json says of each advisory about what
// production installs. Reads the result of `npm audit --json`. Fails where an advisory has no statement by which the
// gateway is safe, and where a statement is about an advisory that is gone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/** States of CycloneDX 1.6 by which a release may go out. */
const SAFE = ['not_affected', 'false_positive', 'resolved'];

const audit = JSON.parse(await text(process.stdin));
const statements = JSON.parse(readFileSync('.ci/vex.json', 'utf8'));
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const problems = [];
if (audit.vulnerabilities === undefined) problems.push(`npm audit gave no result: ${audit.message ?? 'no reason'}`);

const advisories = new Map();
for (const { nodes, via } of Object.values(audit.vulnerabilities ?? {})) {
  for (const { url, name, title } of via.filter(cause => typeof cause === 'object')) {
    const id = url.split('/').at(-1);
    const refs = nodes.map(path => `pkg:npm/${name}@${packages[path].version}`);
    advisories.set(id, { url, name, title, refs: [...(advisories.get(id)?.refs ?? []), ...refs] });
  }
}
for (const [id, { name, title }] of advisories) {
  const { state, detail } = statements[id] ?? {};
  if (!SAFE.includes(state) || !detail) {
    problems.push(
      `${id} (${name}: ${title}) has no statement in .ci/vex.json: update the package, or say why it is safe.`,
    );
  }
}
const gone = problems.length > 0 ? [] : Object.keys(statements).filter(id => !advisories.has(id));
problems.push(...gone.map(id => `${id} is about nothing that is installed: remove it from .ci/vex.json.`));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);

const vulnerabilities = [...advisories].map(([id, { url, refs }]) => ({
  id,
  source: { name: 'GitHub Advisory Database', url },
  affects: [...new Set(refs)].map(ref => ({ ref })),
  analysis: statements[id],
}));
mkdirSync('dist', { recursive: true });
const document = { bomFormat: 'CycloneDX', specVersion: '1.6', version: 1, vulnerabilities };
writeFileSync('dist/vex.cdx.json', `${JSON.stringify(document, null, 2)}\n`);
