import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { faultOf, readDocument } from '../../platform/input/read-document.js';
import { readRecord } from '../../platform/input/read-input.js';
import { entriesOf, isObject, programsOf } from '../../bank/program/program.file.js';
import { ProgramRecord } from '../../bank/program/program.inputs.js';
import { InvalidInput } from '../../shared/errors.js';
import { UsageError } from '../../shared/usage-error.js';
import { MAX_ENDPOINTS } from '../../../packages/webhooks/src/webhook.errors.js';
import { WebhookEndpointRecord } from './endpoint.inputs.js';

/** The bank as a folder declares it. */
export interface DeclaredBank {
  readonly programs: readonly ProgramRecord[];
  readonly endpoints: readonly DeclaredEndpoint[];
}

export interface DeclaredEndpoint {
  readonly program: string;
  readonly endpoint: WebhookEndpointRecord;
}

const MAX_FILES = 1000;
const DOCUMENT = /\.(ya?ml|json)$/i;

/**
 * The programs in the files of a folder, each of which has the form of `tillgate programs set`, with the webhook
 * endpoints beside the fields of a record. Throws `UsageError` with all that is wrong, and no value of the files.
 */
export async function readFolder(folder: string): Promise<DeclaredBank> {
  const names = (await readdir(folder).catch(() => null))?.filter(name => DOCUMENT.test(name)).sort();
  if (!names) throw new UsageError(`${folder} cannot be read as a folder. Check the path and the permissions.`);
  if (names.length === 0) throw new UsageError(`${folder} has no file that ends with .yaml, .yml or .json.`);
  if (names.length > MAX_FILES) {
    throw new UsageError(`${folder} has more than ${MAX_FILES} files. Use several folders.`);
  }
  const programs: ProgramRecord[] = [];
  const endpoints: DeclaredEndpoint[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const found: string[] = [];
    const path = await pathWithin(folder, name);
    if (typeof path !== 'string') {
      problems.push(`${name}: ${path.problem}`);
      continue;
    }
    const entries = entriesOf(await readDocument(path, { eachOf: ProgramRecord }), name);
    const records = programsOf(
      entries.map(([programId, entry]) => [programId, withoutEndpoints(entry)]),
      found,
    );
    const seen = new Set(programs.map(({ programId }) => programId));
    found.push(
      ...records.flatMap(({ programId }) => (seen.has(programId) ? `${programId}: Is in another file, too.` : [])),
    );
    programs.push(...records);
    for (const { programId } of records) {
      const entry = entries.find(([id]) => id === programId)?.[1];
      endpoints.push(...endpointsOf(programId, entry, found));
    }
    problems.push(...found.map(problem => `${name}: ${problem}`));
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'));
  return { programs, endpoints };
}

/** The path of a file, whose links lead to a file of the folder; or what is wrong with it. */
async function pathWithin(folder: string, name: string): Promise<string | { readonly problem: string }> {
  try {
    const [root, path] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    if (relative(root, path).split(sep, 1)[0] === '..') {
      return { problem: 'Is a symbolic link out of the folder. Put the file into the folder.' };
    }
    if ((await stat(path)).isFile()) return path;
  } catch {
    // A link to nowhere, or what must not be read.
  }
  return { problem: 'Cannot be read as a file. Check the path and the permissions.' };
}

function withoutEndpoints(entry: unknown): unknown {
  if (!isObject(entry)) return entry;
  const { webhookEndpoints: _, ...record } = entry;
  return record;
}

function endpointsOf(program: string, entry: unknown, problems: string[]): DeclaredEndpoint[] {
  const list = isObject(entry) ? (entry['webhookEndpoints'] ?? []) : [];
  if (!Array.isArray(list) || list.length > MAX_ENDPOINTS) {
    problems.push(`${program}: webhookEndpoints: Must be a list of at most ${MAX_ENDPOINTS}.`);
    return [];
  }
  const urls = new Set<string>();
  return list.flatMap((one: unknown, index): DeclaredEndpoint[] => {
    try {
      const endpoint = readRecord(WebhookEndpointRecord, one);
      if (urls.size !== urls.add(endpoint.url).size) return [{ program, endpoint }];
      problems.push(`${program}: webhookEndpoints.${index}.url: Is in the list twice. Remove one.`);
    } catch (error) {
      if (!(error instanceof InvalidInput)) throw error;
      problems.push(
        ...error.errors.map(
          problem => `${program}:${faultOf({ ...problem, pointer: `/webhookEndpoints/${index}${problem.pointer}` })}`,
        ),
      );
    }
    return [];
  });
}
