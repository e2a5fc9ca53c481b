// Holds schema.graphql against what clients know of it: the last release. What breaks them fails, unless
// accepted-schema-changes.json says why it may. What might surprise them is shown. Additions pass in silence.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { CriticalityLevel, DiffRule, diff } from '@graphql-inspector/core';
import { buildSchema } from 'graphql';

const FILE = 'schema.graphql';
const ACCEPTED = '.ci/accepted-schema-changes.json';

const present = readFileSync(FILE, 'utf8');
const accepted = readAccepted();
const base = findBase();
if (base.text === null) {
  console.log(`${FILE} was not held against an earlier version: ${base.missing}`);
} else {
  await judge(base);
}

/** `{ name, text }` of the last release, or `{ text: null, missing }` with the reason why there is none. */
function findBase() {
  if (git('rev-parse', '--git-dir') === null) return { text: null, missing: 'there is no git history here.' };
  const name = git('describe', '--tags', '--match', 'v[0-9]*', '--abbrev=0');
  const text = name === null ? null : git('show', `${name}:./${FILE}`);
  if (text !== null) return { name, text };
  const isShallow = git('rev-parse', '--is-shallow-repository') === 'true';
  return {
    text: null,
    missing: isShallow
      ? 'this clone is shallow. To compare: git fetch --unshallow --tags'
      : 'nothing was released yet, so no client knows another one.',
  };
}

/** What git prints, or null where it fails or there is none. */
function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  return status === 0 ? stdout.trimEnd() : null;
}

/** Reasons by change: `{ "FIELD_REMOVED Account.openedOn": "No client has ever asked for it." }`. */
function readAccepted() {
  try {
    const reasons = JSON.parse(readFileSync(ACCEPTED, 'utf8'));
    if (Array.isArray(reasons)) throw new TypeError('a list has no reasons');
    const bad = Object.entries(reasons).filter(([, reason]) => typeof reason !== 'string' || reason.trim().length < 10);
    if (bad.length === 0) return new Map(Object.entries(reasons));
    fail(`${ACCEPTED}: ${bad.map(([change]) => change).join(', ')} needs a sentence that says why no client breaks.`);
  } catch (error) {
    fail(`${ACCEPTED} is not an object of JSON that can be read (${error.code ?? error.name}).`);
  }
  return process.exit();
}

async function judge({ name, text }) {
  // What a release has shown as deprecated may go.
  const all = await diff(buildSchema(text), buildSchema(present), [DiffRule.suppressRemovalOfDeprecatedField]);
  // No client's work depends on these two, and what `deprecated` means is a change of its own.
  const changes = all
    .filter(({ path = '' }) => !/\.@(specifiedBy|deprecated)\b/.test(path))
    .map(change => ({
      ...change,
      id: `${change.type} ${change.path ?? FILE}`,
      level: change.criticality.level,
    }));
  const breaking = changes.filter(({ level }) => level === CriticalityLevel.Breaking);
  const refused = breaking.filter(({ id }) => !accepted.has(id));
  const since = `release ${name}`;
  for (const { id, message } of refused) console.log(`BREAKS CLIENTS  ${id}: ${message}.`);
  for (const { id } of breaking) if (accepted.has(id)) console.log(`accepted        ${id}: ${accepted.get(id)}`);
  for (const { id, level, message } of changes) {
    if (level === CriticalityLevel.Dangerous) console.log(`take care       ${id}: ${message}.`);
  }
  for (const id of accepted.keys()) {
    if (!breaking.some(change => change.id === id)) {
      console.log(`not needed      ${id}: no change since ${since}. Delete it from ${ACCEPTED}.`);
    }
  }
  if (refused.length === 0) {
    console.log(`${FILE}: ${changes.length} changes since ${since}, none that is refused.`);
    return;
  }
  const entries = refused.map(({ id }) => `  ${JSON.stringify(id)}: ""`).join(',\n');
  fail(`
${FILE} breaks clients of ${since}. Either keep what they use, mark it @deprecated (deprecationReason in the code), and
remove it after a release; or, if no client can break, say why in ${ACCEPTED}:
${entries}`);
}

function fail(message) {
  console.log(message);
  process.exitCode = 1;
}
