import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { blockOf } from '../docs/fences.js';
import { until } from '../support/until.js';

export type ProxyName = 'nginx' | 'haproxy';

const TLS = fileURLToPath(new URL('../security/http/', import.meta.url));
/** A proxy needs no rights of root, so the tests show that. This is `nobody`. */
const ORDINARY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
/** Where Debian has them, which is not in the PATH of everybody. */
const PATH = [process.env['PATH'], '/usr/sbin', '/sbin'].join(':');

/** The program that NGINX_BIN or HAPROXY_BIN names, or one in PATH; null where there is none. */
export function programOf(name: ProxyName): string | null {
  const named = process.env[`${name.toUpperCase()}_BIN`] ?? name;
  return spawnSync('which', [named], { env: { PATH } }).status === 0 ? named : null;
}

export interface ProxyOrder {
  /** Ports on this machine, instead of the two hosts of the page. */
  readonly upstreams: readonly [number, number];
  /** Instead of how long the page says that the gateway may be silent. */
  readonly silenceSeconds?: number;
}

/** A proxy with the configuration that the operations page shows, in a folder of its own, by an ordinary user. */
export class Proxy {
  private constructor(
    readonly port: number,
    private readonly child: ChildProcess,
    private readonly folder: string,
    /** What it wrote into its log of errors. */
    readonly said: () => string,
  ) {}

  static async start(name: ProxyName, order: ProxyOrder): Promise<Proxy> {
    const folder = await mkdtemp(join(tmpdir(), `tillgate-${name}-`));
    const port = await freePort();
    const file = join(folder, 'proxy.conf');
    await writeFile(file, configurationOf(name, folder, await changed(name, port, folder, order)));
    await layTls(folder);
    const args = name === 'nginx' ? ['-p', folder, '-c', file, '-e', 'stderr'] : ['-db', '-f', file];
    const child = spawn(programOf(name) ?? name, args, {
      env: { PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
      ...ORDINARY,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
    }
    const proxy = new Proxy(port, child, folder, () => said);
    await proxy.listening();
    return proxy;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode === null) {
      const closed = once(this.child, 'close');
      this.child.kill('SIGTERM');
      await closed;
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  /** From now on it cannot put anything aside in files, and fails where it tries. */
  async denyTemporaryFiles(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true })) {
      if (entry.isDirectory()) await chmod(join(this.folder, entry.name), 0o500);
    }
  }

  /** What it keeps in files besides its configuration: of what goes through it there must be nothing. */
  files(): string[] {
    const found = execFileSync('find', [this.folder, '-type', 'f', '-size', '+0'], { encoding: 'utf8' }).split('\n');
    return found.filter(path => path !== '' && !/\.(conf|pem|key|pid)$/.test(path));
  }

  private async listening(): Promise<void> {
    await until(async () => {
      if (this.child.exitCode !== null) throw new Error(`It does not start: ${this.said()}`);
      return canConnect(this.port);
    });
  }
}

/**
 * The block of the page, with the addresses, files and times of a test. Each must be there, or the test would try
 * something else.
 */
async function changed(name: ProxyName, port: number, folder: string, order: ProxyOrder): Promise<string> {
  const [one, two] = order.upstreams;
  const changes: [string | RegExp, string][] = [
    ['10.0.0.11:4000', `127.0.0.1:${one}`],
    ['10.0.0.12:4000', `127.0.0.1:${two}`],
    [/(listen |bind :)443/, `${name === 'nginx' ? 'listen ' : 'bind '}127.0.0.1:${port}`],
    [`/etc/${name}/tls/bank.pem`, join(folder, 'bank.pem')],
  ];
  if (name === 'nginx') changes.push(['/etc/nginx/tls/bank.key', join(folder, 'bank.key')]);
  if (order.silenceSeconds) changes.push([/(?<=(?:read_timeout|timeout server) )35s/, `${order.silenceSeconds}s`]);
  let text = await blockOf('docs/install.md', name);
  for (const [from, to] of changes) {
    const next = text.replace(from, to);
    if (next === text) throw new Error(`The ${name} block of the page does not have ${String(from)}.`);
    text = next;
  }
  return `${text}\n`;
}

/** What stands around the block in the configuration of a distribution. */
function configurationOf(name: ProxyName, folder: string, block: string): string {
  if (name === 'haproxy') return `global\n    maxconn 500\n\n${block}`;
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const places = kinds.map(kind => `${kind}_temp_path ${folder}/${kind};`).join('\n');
  const main = `daemon off;\npid ${folder}/nginx.pid;\nerror_log stderr;\nevents { worker_connections 512; }\n`;
  return `${main}http {\naccess_log ${folder}/access.log;\n${places}\n${block}}\n`;
}

async function layTls(folder: string): Promise<void> {
  const [certificate, key] = await Promise.all(
    ['localhost.cert.pem', 'localhost.key.pem'].map(name => readFile(join(TLS, name), 'utf8')),
  );
  await writeFile(join(folder, 'bank.pem'), `${certificate}\n${key}`);
  await writeFile(join(folder, 'bank.key'), String(key));
  const { uid, gid } = ORDINARY;
  if (uid === undefined) return;
  for (const path of ['.', 'bank.pem', 'bank.key', 'proxy.conf']) await chown(join(folder, path), uid, gid);
  await chmod(folder, 0o700);
}

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.end());
  });
}
