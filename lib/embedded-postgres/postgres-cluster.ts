import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SUPERUSER } from './postgres-presence.js';
import { PostgresPrograms } from './postgres-programs.js';

const UNFINISHED = 'postgres.unfinished-';

/** Everything that the embedded server has in the data folder. */
export interface PostgresFiles {
  readonly dataDir: string;
  readonly cluster: string;
  readonly password: string;
  readonly log: string;
  readonly lock: string;
}

export function filesIn(dataDir: string): PostgresFiles {
  const file = (name: string) => path.join(dataDir, name);
  return {
    dataDir,
    cluster: file('postgres'),
    password: file('postgres.password'),
    log: file('postgres.log'),
    lock: file('postgres.lock'),
  };
}

/**
 * Makes the cluster aside and then renames it, so that a crash in the middle leaves no half cluster: the next start makes it
 * again. Without `sync` its files may not have reached the disk when this returns.
 */
export async function createClusterIfMissing(files: PostgresFiles, sync: boolean): Promise<void> {
  if (await exists(path.join(files.cluster, 'PG_VERSION'))) return;
  await rm(files.password, { force: true });
  const password = randomBytes(24).toString('base64url');
  await writeFile(files.password, password, { mode: 0o600 });

  const programs = await PostgresPrograms.find(files.dataDir, files.cluster);
  // A new name each time: the initdb of a process that was killed may still be writing into the folder before.
  const cluster = await mkdtemp(path.join(files.dataDir, UNFINISHED));
  const passwordForInitdb = `${cluster}.password`;
  await writeFile(passwordForInitdb, password, { mode: 0o600 });
  await programs.own(cluster, passwordForInitdb);
  await programs.run('initdb', [
    `--pgdata=${cluster}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordForInitdb}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    // Texts are ordered by code point, and upper and lower case are Unicode's. Needs no locale of the operating system.
    '--locale=C.UTF-8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--no-instructions',
    ...(sync ? [] : ['--no-sync']),
  ]);
  await rename(cluster, files.cluster);
  const leftOvers = (await readdir(files.dataDir)).filter(name => name.startsWith(UNFINISHED));
  // One that is still being written may not go away, and does no harm.
  await Promise.all(
    leftOvers.map(name => rm(path.join(files.dataDir, name), { recursive: true, force: true }).catch(() => undefined)),
  );
}

/** The superuser's password, which only the owner of the data folder can read. */
export async function readPassword(files: PostgresFiles): Promise<string> {
  return readFile(files.password, 'utf8').catch((cause: unknown) => {
    throw new Error(
      `${files.password} cannot be read, and it has the password of the database in ${files.cluster}. Restore the file, or delete both to start with an empty database.`,
      { cause },
    );
  });
}

async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}
