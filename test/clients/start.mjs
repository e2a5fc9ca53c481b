// Starts gateways with demo data, each with a folder of its own, and stops them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const START_MS = 120_000;
const STOP_MS = 20_000;

const main = fileURLToPath(new URL('../../dist/src/main.js', import.meta.url));

/** A gateway as a subgraph, with these settings besides: its address, and what stops it and removes its folder. */
export async function startGateway(settings = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'tillgate-clients-'));
  const usual = { PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', FEDERATION: 'true' };
  const program = spawn(process.execPath, [main, 'serve'], {
    cwd: folder,
    env: { ...process.env, ...usual, ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    await ended(program);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { address: await addressOf(program), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The first line that the gateway prints about where it listens. */
async function addressOf(program) {
  const timer = setTimeout(() => program.kill('SIGKILL'), START_MS);
  for await (const line of createInterface(program.stdout)) {
    const [address] = /https?:\/\/\S+/.exec(line) ?? [];
    if (!address) continue;
    clearTimeout(timer);
    program.stdout.resume();
    return address;
  }
  throw new Error('the gateway did not start');
}

async function ended(program) {
  if (program.exitCode !== null || program.signalCode !== null) return;
  const timer = setTimeout(() => program.kill('SIGKILL'), STOP_MS);
  program.kill('SIGTERM');
  await once(program, 'exit');
  clearTimeout(timer);
}
