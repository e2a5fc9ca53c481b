import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';
import { compileCache } from '../cli/command-line.js';
import { startEmbeddedPostgres } from '../../lib/embedded-postgres/embedded-postgres.js';
import { jobsDone } from '../support/jobs.js';
import { ROOT } from './fences.js';

/** What somebody has who has cloned the project, and compiled it. */
const PROJECT = [
  '.ci',
  'src',
  'lib',
  'packages',
  'migrations',
  'packages',
  'docs',
  'examples',
  'dist',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'schema.graphql',
  '.env.example',
];
/** What a copy of the project has. */
const PROJECT_FOLDER = 'project';
const DATA_FOLDER = 'data';
/** Where a gateway serves that nobody told where to; here each has a port of its own. */
const USUAL_PORT = 4000;
/** Between commands the shell's variables, its folder and the token are kept in these. */
const KEPT = { variables: '.shell-variables', folder: '.shell-folder', token: '.shell-token' };

export interface CommandResult {
  /** null where a signal ended it. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes `npm run -s tillgate` start at once: what npm would look at and compile first is compiled. */
const QUICK_TILLGATE = `npm() {
  if [[ "$*" = 'run -s tillgate -- '* ]]; then node --enable-source-maps dist/src/main.js "\${@:5}"; else command npm "$@"; fi
}`;

/** What commands leave for those after them, however they end. */
const KEEP = `trap 'status=$?; { export -p; declare -f; } > "$HOME/${KEPT.variables}"; pwd > "$HOME/${KEPT.folder}"; printf %s "\${TOKEN-}" > "$HOME/${KEPT.token}"; exit $status' EXIT`;

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

/** A copy of the project, compiled, and beside it its demo data, for the commands of pages to work in. */
export async function makeCopy(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'tillgate-docs-'));
  const folder = join(copy, PROJECT_FOLDER);
  await mkdir(folder);
  // What is compiled counts as outdated unless the sources keep their times to the nanosecond.
  const files = `tar --format=pax --exclude=node_modules --exclude='examples/*/dist' -c ${PROJECT.join(' ')}`;
  const steps = `node .ci/compile.mjs && ${files} | tar -x -C '${folder}' && ln -s "$PWD/node_modules" '${folder}'`;
  const { status, stdout, stderr } = await run(steps, { cwd: ROOT, env: usualEnvironment(copy) });
  if (status !== 0) throw new Error(`The project cannot be compiled and copied: ${stdout}${stderr}`);
  await Workplace.fillWithDemoData(folder);
  await rename(join(folder, '.data'), join(copy, DATA_FOLDER));
  return copy;
}

/**
 * A copy, a shell in it, and the gateway that the shell started. Commands run one after the other, as a reader would
 * type them.
 */
export class Workplace {
  private serving: ChildProcess | null = null;
  private url: string | null = null;
  /** The groups of processes that commands left in the background. */
  private readonly left: number[] = [];

  private constructor(
    private readonly folder: string,
    private readonly env: Record<string, string>,
    private readonly owner: Owner,
    private readonly isQuick = false,
  ) {}

  static async fillWithDemoData(folder: string): Promise<void> {
    const workplace = new Workplace(folder, usualEnvironment(folder), {});
    await workplace.serve('npm start');
    await documentsIssued(join(folder, '.data'));
    await workplace.stopServing();
  }

  /**
   * `owner` is who runs the commands, where it must not be whoever runs the tests. With `fresh` there is no data yet.
   * With `isQuick` commands of Tillgate start without npm. `beside` is one whose gateway and data are used.
   */
  static async open(
    copy: string,
    {
      env = {},
      owner = {},
      fresh = false,
      isQuick = false,
      beside = null,
    }: {
      env?: Record<string, string>;
      owner?: Owner;
      fresh?: boolean;
      isQuick?: boolean;
      beside?: Workplace | null;
    },
  ): Promise<Workplace> {
    const folder = await mkdtemp(join(tmpdir(), 'tillgate-page-'));
    // Commands write files of their own, and no page changes those of the project, so their thousands are linked.
    // Another owner would be the owner of all links.
    const isOther = owner.uid !== undefined;
    const steps = [
      `cp -a${isOther ? '' : 'l'} '${copy}/${PROJECT_FOLDER}/.' .`,
      beside ? `ln -s '${beside.folder}/.data' .data` : fresh ? 'true' : `cp -a '${copy}/${DATA_FOLDER}' .data`,
      ...(isOther ? [`chown -R ${owner.uid}:${owner.gid} .`] : []),
    ];
    const { status, stderr } = await run(steps.join(' && '), {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    if (status !== 0) throw new Error(`The copy of the project cannot be copied: ${stderr}`);
    const workplace = new Workplace(folder, { ...usualEnvironment(folder), ...env }, owner, isQuick);
    workplace.url = beside?.url ?? null;
    return workplace;
  }

  /** Runs commands to their end. */
  async run(commands: string): Promise<CommandResult> {
    const place = { cwd: this.folder, env: this.env, ...this.owner };
    const { group, ...ended } = await run(`${KEEP}\n${this.script(commands)}`, place);
    if (signalled(group, 0)) this.left.push(group);
    return { ...ended, stdout: this.asUsual(ended.stdout), stderr: this.asUsual(ended.stderr) };
  }

  /** Starts what goes on, and resolves when it has printed where it serves. */
  async serve(commands: string): Promise<void> {
    if (this.serving) throw new Error('A gateway serves here already.');
    const child = start(this.script(commands), { cwd: this.folder, env: this.env, ...this.owner });
    this.serving = child;
    let printed = '';
    child.stdout?.on('data', (text: string) => (printed += text));
    child.stderr?.on('data', (text: string) => (printed += text));
    const closed = once(child, 'close').then(() => 'closed' as const);
    for (;;) {
      const [, url] = /^(http\S+)$/m.exec(printed) ?? [];
      if (url) {
        this.url = url;
        return;
      }
      if ((await Promise.race([once(child.stdout as NonNullable<typeof child.stdout>, 'data'), closed])) === 'closed') {
        throw new Error(`It does not serve: ${printed}`);
      }
    }
  }

  /** Sends a GraphQL operation with the token that the shell has. */
  async graphql(query: string): Promise<string> {
    const token = await readFile(join(this.folder, KEPT.token), 'utf8');
    const answer = await fetch(`${this.url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    return answer.text();
  }

  async close(): Promise<void> {
    await this.stopServing();
    // A page may have started a server that leaves the group.
    await this.run('[ -z "$PGDATA" ] || pg_ctl stop --mode=immediate --silent');
    for (const group of this.left) signalled(group, 'SIGTERM');
    await rm(this.folder, { recursive: true, force: true });
  }

  private async stopServing(): Promise<void> {
    if (this.serving) await stop(this.serving);
    this.serving = null;
  }

  private script(commands: string): string {
    const port = this.url ? new URL(this.url).port : USUAL_PORT;
    return [
      `[ ! -f "$HOME/${KEPT.variables}" ] || . "$HOME/${KEPT.variables}"`,
      `[ ! -f "$HOME/${KEPT.folder}" ] || cd "$(cat "$HOME/${KEPT.folder}")"`,
      // Where the examples look for the gateway, unless they are told.
      `export TILLGATE_URL=http://127.0.0.1:${port}`,
      ...(this.isQuick ? [QUICK_TILLGATE] : []),
      'set -aeo pipefail',
      // Whoever runs the tests has installed what there is to install. Through the link of the copy it would take the
      // packages away from under all other tests.
      commands
        .replaceAll(/^\s*npm (ci|install|publish)\b.*$/gm, 'true')
        .replaceAll(/\b(localhost|127\.0\.0\.1):4000\b/g, (_, host) => `${host}:${port}`),
    ].join('\n');
  }

  private asUsual(text: string): string {
    return this.url ? text.replaceAll(`:${new URL(this.url).port}`, `:${USUAL_PORT}`) : text;
  }
}

/** Waits for the documents that are issued after the first start, so that no page has to. */
async function documentsIssued(dataDir: string): Promise<void> {
  const server = await startEmbeddedPostgres(dataDir, { program: 'Tillgate' });
  const client = new pg.Client({ connectionString: server.url('tillgate') });
  try {
    await client.connect();
    await jobsDone(client);
  } finally {
    await client.end();
    await server.stop();
  }
}

function usualEnvironment(folder: string): Record<string, string> {
  return {
    PATH: [join(ROOT, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter),
    HOME: folder,
    LANG: 'C.UTF-8',
    NODE_COMPILE_CACHE: compileCache(),
    PORT: '0',
    npm_config_update_notifier: 'false',
  };
}

type Place = { cwd: string; env: Record<string, string> } & Owner;

function start(script: string, { cwd, env, uid, gid }: Place): ChildProcess {
  // A group of its own, so that all of it can be ended.
  const child = spawn('bash', ['-c', script], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    uid,
    gid,
  });
  child.stdout.setEncoding('utf8');
  child.stderr.setEncoding('utf8');
  return child;
}

async function run(script: string, place: Place): Promise<CommandResult & { readonly group: number }> {
  const child = start(script, place);
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (text: string) => (stdout += text));
  child.stderr?.on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr, group: child.pid as number };
}

/** Sends a signal to a group of processes. False where it has none any more. */
function signalled(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const closed = once(child, 'close');
  process.kill(-child.pid, 'SIGTERM');
  await closed;
}
