import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../deploy/proxy.js';
import { until } from '../support/until.js';

/** Where Debian has it, which is not in the PATH of everybody. */
const PATH = [process.env['PATH'], '/usr/sbin'].join(':');

/** Whether there is a Pgpool-II in PATH. */
export function isPgpoolInstalled(): boolean {
  return spawnSync('which', ['pgpool'], { env: { PATH } }).status === 0;
}

/**
 * Starts Pgpool-II before a server, to which it passes passwords on. Gives the address of the same database through it.
 */
export async function startPgpool(serverUrl: string): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'tillgate-pgpool-'));
  const [server, port] = [new URL(serverUrl), await freePort()];
  const settings = {
    backend_clustering_mode: "'streaming_replication'",
    sr_check_period: 0,
    health_check_period: 0,
    listen_addresses: "'127.0.0.1'",
    port,
    pcp_port: await freePort(),
    num_init_children: 10,
    socket_dir: `'${folder}'`,
    pcp_socket_dir: `'${folder}'`,
    wd_ipc_socket_dir: `'${folder}'`,
    pid_file_name: `'${folder}/pgpool.pid'`,
    logdir: `'${folder}'`,
    backend_hostname0: `'${server.hostname}'`,
    backend_port0: server.port,
    backend_flag0: "'ALWAYS_PRIMARY'",
    enable_pool_hba: 'off',
    pool_passwd: "''",
    allow_clear_text_frontend_auth: 'on',
  };
  const file = join(folder, 'pgpool.conf');
  const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}\n`);
  await writeFile(file, lines.join(''));
  const child = spawn('pgpool', ['-n', '-f', file], { stdio: 'ignore', env: { ...process.env, PATH } });
  await once(child, 'spawn');
  await until(() => listens(port));
  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: String(port) }).href,
    async stop() {
      const ended = once(child, 'exit');
      // Immediate: it ends its children as well.
      child.kill('SIGQUIT');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
