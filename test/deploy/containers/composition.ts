import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../../support/until.js';

const execute = promisify(execFile);
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;

/** Runs a program to its end. Throws with what it printed where it fails. */
export async function run(program: string, args: readonly string[], options: { env?: NodeJS.ProcessEnv } = {}) {
  const env = { ...process.env, DOCKER_BUILDKIT: '1', ...options.env };
  return (await execute(program, args, { env, maxBuffer: MAX_OUTPUT_BYTES })).stdout;
}

/** A composition with a name of its own, so that it meets no other on the machine. */
export class Composition {
  constructor(
    private readonly name: string,
    private readonly files: readonly string[],
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  compose(...args: readonly string[]): Promise<string> {
    const files = this.files.flatMap(file => ['--file', file]);
    return run('docker', ['compose', '--project-name', this.name, ...files, ...args], { env: this.env });
  }

  with(env: NodeJS.ProcessEnv): Composition {
    return new Composition(this.name, this.files, { ...this.env, ...env });
  }

  /** A value that the engine knows of the container of a service, such as `.State.Pid`. */
  async inspect(service: string, value: string): Promise<string> {
    const id = (await this.compose('ps', '--all', '--quiet', service)).trim();
    return (await run('docker', ['inspect', id, '--format', `{{${value}}}`])).trim();
  }

  /** Stops the gateway as the composition says, which must not have to kill it. */
  async stopGateway(): Promise<void> {
    await this.compose('stop', 'gateway');
    assert.equal(await this.inspect('gateway', '.State.ExitCode'), '0');
  }

  async down(): Promise<void> {
    await this.compose('down', '--volumes', '--timeout', '5');
  }
}

/** The status of an address, or 0 where nothing answers. */
export async function statusOf(url: string, init: RequestInit = {}): Promise<number> {
  return fetch(url, init).then(
    ({ status }) => status,
    () => 0,
  );
}

/** Waits until an address answers so. */
export async function answers(url: string, status: number, init?: RequestInit): Promise<void> {
  await until(async () => (await statusOf(url, init)) === status);
}
