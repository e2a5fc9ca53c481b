import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { npm } from '../cli/installs/installed.js';

const execute = promisify(execFile);

export interface ServingRelease {
  readonly url: string;
  /** Ends it by SIGTERM, and gives the exit status. */
  stop(): Promise<number | null>;
}

/** A release that is compiled in a folder, whose command line runs in processes of its own. */
export class Release {
  constructor(
    readonly name: string,
    private readonly folder: string,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  /** Runs a command to its end, and gives what it printed. Throws where it fails. */
  async run(args: readonly string[], input = ''): Promise<string> {
    const child = this.start(args, {});
    child.stdin.end(input);
    const [stdout, stderr, [status]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'close') as Promise<[number | null]>,
    ]);
    if (status !== 0) throw new Error(`${this.name}: ${args.join(' ')} ended with ${status}: ${stdout}${stderr}`);
    return stdout;
  }

  async serve(): Promise<ServingRelease> {
    const child = this.start(['serve'], { PORT: '0' });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    child.stderr.pipe(process.stderr);
    const closed = once(child, 'close') as Promise<[number | null]>;
    let printed = '';
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      if (printed.length < MAX_PRINTED) printed += chunk;
      const [url] = /^http\S+(?=\n)/m.exec(printed) ?? [];
      if (url) resolve(url);
    });
    void closed.then(([status]) => reject(new Error(`${this.name} ended with ${status}: ${printed}`)));
    return {
      url: await promise,
      async stop() {
        child.kill('SIGTERM');
        const [status] = await closed;
        process.removeListener('exit', kill);
        return status;
      },
    };
  }

  private start(args: readonly string[], env: Record<string, string>) {
    return spawn(process.execPath, ['--enable-source-maps', join(this.folder, 'dist/src/main.js'), ...args], {
      cwd: this.folder,
      env: {
        ...this.env,
        ...env,
      },
    });
  }
}

/** The start of what a process logs is enough to tell why it does not start. */
const MAX_PRINTED = 100_000;

/**
 * Compiles a revision of this repository, and installs the packages with which it was released. It needs a package
 * registry.
 */
export async function buildRevision(revision: string, folder: string): Promise<string> {
  await mkdir(folder);
  const archive = `${folder}.tar`;
  const { stdout } = await execute('git', ['ls-tree', '--name-only', revision, ...SOURCES]);
  await execute('git', ['archive', '--output', archive, revision, '--', ...stdout.trim().split('\n')]);
  await execute('tar', ['--extract', '--file', archive, '--directory', folder]);
  const packages = join(folder, 'node_modules');
  // The compiler and the types are ours. What it says of types is nothing to us, and it writes the modules all the
  // same.
  await symlink(join(process.cwd(), 'node_modules'), packages);
  await execute('tsc', ['-p', '.'], { cwd: folder }).catch(() => undefined);
  await rm(packages);
  await npm(folder, 'ci', '--omit=dev', '--omit=optional', '--ignore-scripts');
  return folder;
}

/** Where releases have what they are built from; the oldest have no `lib`. */
const SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', 'src', 'lib', 'migrations', 'packages'];
