import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installedPostgres, PostgresServer } from '../../installed/postgres.js';
import { RealIssuer } from '../../platform/auth/real-issuer.js';
import { until } from '../../support/until.js';
import { Proxy, freePort } from '../proxy.js';
import { ProxyClient } from '../through.js';
import { ACCOUNT, FILES, MONTH, PROGRAM } from './bank-files.js';

const execute = promisify(execFile);
const DEPLOY = 'deploy';
const AUDIENCE = 'https://bank.example.com/';
const SCOPES = 'accounts.read transactions.read statements.read operations';
const GATEWAY_STARTS_MS = 30_000;
/** The alert waits for a minute. */
const ALERT_MS = 120_000;

/** One machine on which a gateway comes into production. Its steps are those of deploy/README.md, in their order. */
export class ProductionSite {
  private readonly secrets: string;
  private postgres: PostgresServer | null = null;
  private issuer: RealIssuer | null = null;
  private proxy: Proxy | null = null;
  private readonly children: ChildProcess[] = [];
  private databasePort = 0;
  private port = 0;

  constructor(readonly folder: string) {
    this.secrets = join(folder, 'secrets');
  }

  async makeSecrets(): Promise<string> {
    this.databasePort = await freePort();
    const make = () => execute(`${DEPLOY}/production/make-secrets.sh`, [this.secrets]);
    await make();
    const keys = await this.secret('field_keys');
    await make();
    assert.equal(await this.secret('field_keys'), keys);
    return 'made once, and kept when they are made again';
  }

  async makeDatabase(): Promise<string> {
    const programs = await installedPostgres();
    if (programs === null) throw new Error('There is no PostgreSQL. Install postgresql.');
    const server = await PostgresServer.create(programs, join(this.folder, 'postgres'), this.databasePort);
    this.postgres = server;
    const superuser = new URL(server.url()).username;
    // Everybody but the superuser of this machine needs the password.
    await writeFile(
      join(server.folder, 'pg_hba.conf'),
      `host all ${superuser} 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n`,
    );
    await server.reload();
    const env = { PATH: process.env['PATH'], PGHOST: '127.0.0.1', PGPORT: `${this.databasePort}`, PGUSER: superuser };
    await execute(`${DEPLOY}/production/roles.sh`, [], { env: { ...env, SECRETS: this.secrets } });
    const rows = await server.query<{ rolname: string; rolsuper: boolean }>(
      "SELECT rolname, rolsuper FROM pg_roles WHERE rolname LIKE 'tillgate\\_%' ORDER BY 1",
    );
    assert.deepEqual(rows, [
      { rolname: 'tillgate_owner', rolsuper: false },
      { rolname: 'tillgate_serving', rolsuper: false },
    ]);
    return 'tillgate_owner and tillgate_serving';
  }

  async migrate(): Promise<string> {
    await this.tillgate('owner', 'migrate');
    await this.tillgate('owner', 'grants', '--role', 'tillgate_serving', '--apply');
    const checked = await this.tillgate('owner', 'grants', '--role', 'tillgate_serving');
    assert.equal(checked, 'The role tillgate_serving has what it needs.\n');
    return 'tillgate_serving has what it needs';
  }

  async startProvider(): Promise<string> {
    this.issuer = await RealIssuer.start(AUDIENCE, SCOPES);
    const { keys } = (await (await fetch(`${this.issuer.url}/jwks`)).json()) as { keys: unknown[] };
    assert.equal(keys.length, 1);
    return 'shows its keys';
  }

  async applyProgram(): Promise<string> {
    const bank = join(this.folder, 'bank');
    await mkdir(bank);
    await writeFile(join(bank, 'harbor.yaml'), PROGRAM);
    assert.match(
      await this.tillgate('serving', 'apply', bank, '--check'),
      /^harbor: is new: .*\nNothing was changed\.\n$/,
    );
    await this.tillgate('serving', 'apply', bank, '--yes');
    const again = await this.tillgate('serving', 'apply', bank, '--check');
    assert.match(again, /Everything is as the folder says\.\n$/);
    return 'is as the folder says';
  }

  async importCsv(): Promise<string> {
    const imported: string[] = [];
    for (const { kind, csv, map } of FILES) {
      const [file, mapFile] = [join(this.folder, `${kind}.csv`), join(this.folder, `${kind}.yaml`)];
      await writeFile(file, csv);
      await writeFile(mapFile, map);
      const args = ['import', kind, file, '--map', mapFile, '--program', 'harbor'];
      assert.match(
        await this.tillgate('serving', ...args, '--check'),
        / [12] new, 0 updated, 0 unchanged, 0 rejected /,
      );
      imported.push((await this.tillgate('serving', ...args)).split(' in ')[0] ?? '');
      assert.match(await this.tillgate('serving', ...args), / 0 new, 0 updated, [12] unchanged, 0 rejected /);
    }
    return imported.join('; ');
  }

  async startGateway(): Promise<string> {
    this.port = await freePort();
    const gateway = this.start(process.execPath, ['dist/src/main.js', 'serve'], this.settings('serving'));
    let said = '';
    gateway.stdout?.on('data', (text: Buffer) => (said += text.toString()));
    await until(async () => {
      if (gateway.exitCode !== null) throw new Error(`The gateway ended: ${said}`);
      return (await this.statusOf('/readyz')) === 200;
    }, GATEWAY_STARTS_MS);
    assert.equal(await this.statusOf('/metrics'), 404);
    return '/readyz answers 200, and /metrics nobody without the token';
  }

  async startProxy(): Promise<string> {
    this.proxy = await Proxy.start('nginx', { upstreams: [this.port, this.port] });
    const client = await this.client();
    const [answer, metrics] = [
      await client.ask({ path: `/accounts/${ACCOUNT}` }),
      await client.ask({ path: '/metrics' }),
    ];
    assert.deepEqual([answer.status, metrics.status], [200, 404]);
    return 'an account is read with a token of the provider, and /metrics is not passed on';
  }

  async issueStatement(): Promise<string> {
    const closed = await this.tillgate('serving', 'statements', 'close', '--month', MONTH, '--program', 'harbor');
    assert.match(closed, /: 1 issued for 1 accounts, 0 not over yet, 0 due none, 0 left out /);
    const client = await this.client();
    const listed = await client.ask({ path: `/accounts/${ACCOUNT}/statements` });
    const { statements } = JSON.parse(listed.bytes.toString()) as { statements: { statementId: string }[] };
    const document = await client.ask({ path: `/accounts/${ACCOUNT}/Statements/${statements[0]?.statementId}` });
    assert.equal(document.bytes.subarray(0, 5).toString(), '%PDF-');
    return `a PDF of ${document.bytes.length} bytes`;
  }

  async raiseAlert(): Promise<string> {
    const web = `127.0.0.1:${await freePort()}`;
    const config = (await readFile(`${DEPLOY}/production/prometheus.yml`, 'utf8'))
      .replaceAll('15s', '1s')
      .replace('- prometheus-rules.yml', `- ${join(process.cwd(), DEPLOY, 'prometheus-rules.yml')}`)
      .replace('/run/secrets', this.secrets)
      .replace(/dns_sd_configs:[^]*/, `static_configs:\n      - targets: ['127.0.0.1:${this.port}']\n`);
    const file = join(this.folder, 'prometheus.yml');
    await writeFile(file, config);
    const storage = `--storage.tsdb.path=${join(this.folder, 'prometheus')}`;
    this.start('prometheus', [`--config.file=${file}`, storage, `--web.listen-address=${web}`], {});
    const asked = async (path: string): Promise<string> =>
      fetch(`http://${web}/api/v1/${path}`).then(
        answer => answer.text(),
        () => '',
      );
    await until(async () => /"value":\[[\d.]+,"1"\]/.test(await asked('query?query=up')), GATEWAY_STARTS_MS);
    await end(this.children[0]);
    await until(async () => {
      const { data } = JSON.parse(await asked('alerts')) as {
        data: { alerts: { labels: { alertname: string }; state: string }[] };
      };
      return data.alerts.some(({ labels, state }) => labels.alertname === 'TillgateDown' && state === 'firing');
    }, ALERT_MS);
    return 'TillgateDown fires a minute after the gateway was stopped';
  }

  async stop(): Promise<void> {
    for (const child of this.children) await end(child);
    await this.proxy?.stop();
    await this.issuer?.goDown();
    await this.postgres?.stop('immediate');
  }

  private settings(role: 'owner' | 'serving'): Record<string, string> {
    const issuer = this.issuer?.url;
    return {
      NODE_ENV: 'production',
      PORT: `${this.port}`,
      LOG_LEVEL: 'warn',
      DATA_DIR: join(this.folder, 'data'),
      DATABASE_URL: `postgres://tillgate_${role}@127.0.0.1:${this.databasePort}/tillgate`,
      DATABASE_PASSWORD_FILE: join(this.secrets, `${role}_password`),
      FIELD_KEYS_FILE: join(this.secrets, 'field_keys'),
      METRICS_TOKEN_FILE: join(this.secrets, 'metrics_token'),
      AUTH_ISSUER: issuer ?? AUDIENCE,
      AUTH_AUDIENCE: AUDIENCE,
      AUTH_JWKS_URL: issuer === undefined ? AUDIENCE : `${issuer}/jwks`,
      AUTH_CLIENT_PROGRAMS: '{"backend":"harbor"}',
      AUTH_PROGRAM_WIDE_CLIENTS: 'backend',
      TRUSTED_PROXIES: '127.0.0.1',
    };
  }

  private async tillgate(role: 'owner' | 'serving', ...args: readonly string[]): Promise<string> {
    const env = { PATH: process.env['PATH'], ...this.settings(role) };
    return (await execute(process.execPath, ['dist/src/main.js', ...args], { env })).stdout;
  }

  private start(program: string, args: readonly string[], env: Record<string, string>): ChildProcess {
    const child = spawn(program, args, {
      env: { PATH: process.env['PATH'], ...env },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.children.push(child);
    return child;
  }

  private async client(): Promise<ProxyClient> {
    if (!this.proxy || !this.issuer) throw new Error('The proxy and the provider come first.');
    return new ProxyClient(this.proxy.port, await this.issuer.token());
  }

  private statusOf(path: string): Promise<number> {
    return fetch(`http://127.0.0.1:${this.port}${path}`).then(
      ({ status }) => status,
      () => 0,
    );
  }

  private async secret(name: string): Promise<string> {
    return readFile(join(this.secrets, name), 'utf8');
  }
}

async function end(child: ChildProcess | undefined): Promise<void> {
  if (child?.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'exit');
  child.kill('SIGTERM');
  await closed;
}
