import assert from 'node:assert/strict';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { until } from '../../support/until.js';
import { ACCOUNT, FILES, PROGRAM } from '../production/bank-files.js';
import { freePort } from '../proxy.js';
import { Composition, run } from './composition.js';

const HOST = 'bank.example.com';
const ISSUER = 'login.bank.example';
const AUDIENCE = `https://${HOST}/`;
const SCOPE = 'accounts.read transactions.read statements.read operations';
const NODE = ['node', '-e'] as const;
const TOKEN = `process.env.NODE_TLS_REJECT_UNAUTHORIZED = 0; fetch('https://${ISSUER}/token').then(r => r.text()).then(console.log)`;
/** The alert waits for a minute. */
const ALERT_MS = 240_000;

/**
 * The deploy/docker-compose.production.yml, in a copy of its folder, with an identity provider and free ports of this
 * machine.
 */
export class Production {
  private constructor(
    private readonly folder: string,
    readonly composition: Composition,
    private readonly name: string,
    private readonly image: string,
    private readonly port: number,
    private readonly prometheus: number,
  ) {}

  static async at(name: string, image: string, folder: string): Promise<Production> {
    const [port, prometheus] = [await freePort(), await freePort()];
    await cp('deploy', folder, { recursive: true });
    await cp('test/deploy/containers/issuer.mjs', join(folder, 'issuer/issuer.mjs'));
    const local = (guest: number, here: number) => ({ ports: [`127.0.0.1:${here}:${guest}`] });
    const override = {
      services: {
        proxy: local(443, port),
        prometheus: local(9090, prometheus),
        gateway: {
          environment: {
            NODE_EXTRA_CA_CERTS: '/issuer.pem',
            AUTH_CLIENT_PROGRAMS: '{"backend":"harbor"}',
            AUTH_PROGRAM_WIDE_CLIENTS: 'backend',
          },
          volumes: ['./issuer/cert.pem:/issuer.pem:ro'],
        },
        issuer: {
          image,
          entrypoint: ['node', '/issuer/issuer.mjs'],
          user: 'root',
          environment: { ISSUER: `https://${ISSUER}/`, AUDIENCE, SCOPE },
          volumes: ['./issuer:/issuer:ro'],
          healthcheck: { disable: true },
          networks: { front: { aliases: [ISSUER] } },
        },
      },
    };
    // The ports of the composition are replaced, not added to.
    await writeFile(join(folder, 'override.yml'), stringify(override).replaceAll('ports:', 'ports: !override'));
    const files = ['docker-compose.production.yml', 'override.yml'].map(file => join(folder, file));
    return new Production(
      folder,
      new Composition(name, files, { TILLGATE_IMAGE: image }),
      name,
      image,
      port,
      prometheus,
    );
  }

  async makeSecrets(): Promise<string> {
    const secrets = join(this.folder, 'secrets');
    // In a shell that gives files to nobody else.
    await run('sh', ['-c', 'umask 077 && "$0" "$1"', join(this.folder, 'production/make-secrets.sh'), secrets]);
    for (const [host, key, cert] of [
      [HOST, join(secrets, 'tls.key'), join(secrets, 'tls.pem')],
      [ISSUER, join(this.folder, 'issuer/key.pem'), join(this.folder, 'issuer/cert.pem')],
    ] as const) {
      const made = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '30'];
      const named = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=DNS:${host}`, '-keyout', key, '-out', cert];
      await run('openssl', ['req', ...made, ...named]);
      await run('chmod', ['644', key]);
    }
    return 'made under umask 077, with a certificate';
  }

  async makeDatabase(): Promise<string> {
    await this.composition.compose('up', '--wait', 'database');
    await this.composition.compose('run', '--rm', 'grants');
    const checked = await this.composition.compose('run', '--rm', 'grants', 'grants', '--role', 'tillgate_serving');
    assert.match(checked, /has what it needs/);
    return 'two roles, tables and rights';
  }

  async applyAndImport(): Promise<string> {
    await this.composition.compose('up', '--detach', 'issuer');
    const [bank, records] = [join(this.folder, 'bank'), join(this.folder, 'records')];
    for (const folder of [bank, records]) await mkdir(folder);
    await run('chmod', ['777', records]);
    await writeFile(join(bank, 'harbor.yaml'), PROGRAM);
    await this.gateway(`${bank}:/bank:ro`, 'apply', '/bank', '--yes');
    assert.match(
      await this.gateway(`${bank}:/bank:ro`, 'apply', '/bank', '--check'),
      /Everything is as the folder says/,
    );
    for (const { kind, csv, map } of FILES) {
      await writeFile(join(records, `${kind}.csv`), csv);
      await writeFile(join(records, `${kind}.yaml`), map);
      const order = ['import', kind, `/records/${kind}.csv`, '--map', `/records/${kind}.yaml`, '--program', 'harbor'];
      assert.match(await this.gateway(`${records}:/records`, ...order), / [12] new, .* 0 rejected /);
    }
    return `a program, and ${FILES.length} files of CSV`;
  }

  async serveOverTls(): Promise<string> {
    await this.composition.compose('up', '--wait', 'gateway', 'proxy', 'prometheus');
    assert.deepEqual([await this.statusOf(`/accounts/${ACCOUNT}`), await this.statusOf('/metrics')], [200, 404]);
    const log = await this.composition.compose('logs', '--no-log-prefix', 'gateway');
    for (const line of log.trim().split('\n')) JSON.parse(line);
    return 'an account is read with a token of the provider, and each line of the log is JSON';
  }

  /** The gateway comes back at another address, and the proxy finds it. */
  async moveGateway(): Promise<string> {
    const address = `(index .NetworkSettings.Networks "${this.name}_front").IPAddress`;
    const before = await this.composition.inspect('gateway', address);
    await this.composition.compose('rm', '--stop', '--force', 'gateway');
    const network = ['--network', `${this.name}_front`, '--ip', before];
    const taking = ['--detach', '--rm', '--init', ...network, '--entrypoint', 'sleep', this.image, '600'];
    const taken = (await run('docker', ['run', ...taking])).trim();
    try {
      await this.composition.compose('up', '--wait', 'gateway');
      assert.notEqual(await this.composition.inspect('gateway', address), before);
      await until(async () => (await this.statusOf(`/accounts/${ACCOUNT}`)) === 200);
    } finally {
      await run('docker', ['kill', taken]);
    }
    return 'the proxy finds the gateway at another address';
  }

  async raiseAlert(): Promise<string> {
    const web = `http://127.0.0.1:${this.prometheus}/api/v1`;
    await until(async () => /"value":\[[\d.]+,"1"\]/.test(await (await fetch(`${web}/query?query=up`)).text()));
    await this.composition.stopGateway();
    await until(async () => {
      const { data } = (await (await fetch(`${web}/alerts`)).json()) as {
        data: { alerts: { labels: { alertname: string }; state: string }[] };
      };
      return data.alerts.some(({ labels, state }) => labels.alertname === 'TillgateDown' && state === 'firing');
    }, ALERT_MS);
    return 'TillgateDown fires, although a gateway that is stopped is gone from the DNS';
  }

  private gateway(volume: string, ...command: readonly string[]): Promise<string> {
    return this.composition.compose('run', '--rm', '--volume', volume, 'gateway', ...command);
  }

  /** The status of a path of the bank, over TLS at the proxy. */
  private async statusOf(path: string): Promise<number> {
    const token = (await this.composition.compose('exec', '-T', 'issuer', ...NODE, TOKEN)).trim();
    const agent = new Agent({ ca: await readFile(join(this.folder, 'secrets/tls.pem')), servername: HOST });
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    const headers = { host: HOST, authorization: `Bearer ${token}` };
    request({ host: '127.0.0.1', port: this.port, path, agent, headers }, answer => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
    return promise;
  }
}
