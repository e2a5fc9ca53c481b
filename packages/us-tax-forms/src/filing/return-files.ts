import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from 'tillgate/noun';
import type { TaxFiling } from '../tax-filing.entity.js';
import { OVERTAKEN } from './filing-states.js';

/** Files of a bank are for their owner alone. */
const OWNER_ONLY = 0o600;
/** Opens a file without a name in a folder: O_TMPFILE of open(2), which Node.js does not name. Linux alone has it. */
const WITHOUT_NAME = process.platform === 'linux' ? constants.O_RDWR | constants.O_DIRECTORY | 0o20_000_000 : null;
/** The number of bytes that are gathered before they are written. */
const WRITE_BYTES = 1024 * 1024;

/** Returns the beginning of the names of all files of a filing, such as `1099-int-2026-original-7c0d5b1e-`. */
export function fileStartOf({ taxYear, kind, filingId }: Pick<TaxFiling, 'taxYear' | 'kind' | 'filingId'>): string {
  return `1099-int-${taxYear}-${kind.toLowerCase()}-${filingId.slice(0, 8)}-`;
}

/** Removes the files of filings from a folder, complete or not. */
export async function removeFilesOf(
  folder: string,
  filings: readonly Pick<TaxFiling, 'taxYear' | 'kind' | 'filingId'>[],
): Promise<void> {
  const starts = filings.map(filing => fileStartOf(filing));
  const names = await readdir(folder);
  for (const name of names.filter(one => starts.some(start => one.startsWith(start)))) await rm(join(folder, name));
}

/**
 * A file whose opening is known when everything else is written, such as one that begins with sums. What follows is
 * kept in a file without a name until then, so that no more than a megabyte is in memory. The whole file has no name
 * either before it is complete, so a process that is killed leaves nothing of it. Where the system or its folder cannot
 * do that, a killed process leaves a `.partial`, which the next run removes.
 */
export class ReturnFile {
  sizeBytes = 0;
  private readonly waiting: string[] = [];
  private waitingBytes = 0;

  private constructor(
    readonly name: string,
    private readonly path: string,
    private readonly body: FileHandle,
  ) {}

  static async begin(folder: string, name: string): Promise<ReturnFile> {
    const path = join(folder, name);
    return new ReturnFile(name, path, (await openWithoutName(folder)) ?? (await openAndRemove(partialOf(path))));
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    this.waiting.push(text);
    this.waitingBytes += bytes;
    this.sizeBytes += bytes;
    if (this.waitingBytes >= WRITE_BYTES) await this.flush();
  }

  /** Gives the file its name, so that nobody finds a half of it. Throws `UsageError` if another run has removed it. */
  async finish(opening: string, closing: string): Promise<void> {
    await this.flush();
    if (!(await this.finishWithoutName(opening, closing))) {
      const partial = await open(partialOf(this.path), 'w', OWNER_ONLY);
      await this.write(partial, opening, closing);
      await partial.close();
      await rename(partialOf(this.path), this.path).catch(() => {
        throw new UsageError(OVERTAKEN);
      });
    }
    await this.body.close();
    this.sizeBytes += Buffer.byteLength(opening) + Buffer.byteLength(closing);
  }

  /** Removes it, whether it is complete or not. */
  async discard(): Promise<void> {
    await this.body.close().catch(() => undefined);
    for (const path of [this.path, partialOf(this.path)]) await rm(path, { force: true });
  }

  /** Gives false where it cannot be done. */
  private async finishWithoutName(opening: string, closing: string): Promise<boolean> {
    const whole = await openWithoutName(dirname(this.path));
    if (!whole) return false;
    try {
      await this.write(whole, opening, closing);
      return await giveName(whole, this.path);
    } finally {
      await whole.close();
    }
  }

  private async write(whole: FileHandle, opening: string, closing: string): Promise<void> {
    await whole.writeFile(opening);
    for await (const part of this.body.createReadStream({ start: 0, autoClose: false })) {
      await whole.writeFile(part as Buffer);
    }
    await whole.writeFile(closing);
  }

  private async flush(): Promise<void> {
    await this.body.writeFile(this.waiting.splice(0).join(''));
    this.waitingBytes = 0;
  }
}

function partialOf(path: string): string {
  return `${path}.partial`;
}

async function openWithoutName(folder: string): Promise<FileHandle | null> {
  // Some file systems, such as NFS, have no such files.
  return WITHOUT_NAME === null ? null : open(folder, WITHOUT_NAME, OWNER_ONLY).catch(() => null);
}

async function openAndRemove(path: string): Promise<FileHandle> {
  const file = await open(path, 'w+', OWNER_ONLY).catch(() => {
    throw new UsageError('A file in the folder --out cannot be written. Check that the folder may be written to.');
  });
  await rm(path);
  return file;
}

/** Node.js makes no link to a file that has no name, so `ln` does it. Gives false where that is not there, or fails. */
function giveName(file: FileHandle, path: string): Promise<boolean> {
  const link = spawn('ln', ['-L', '--', '/proc/self/fd/3', path], { stdio: ['ignore', 'ignore', 'ignore', file.fd] });
  return new Promise(resolve => {
    link.once('error', () => resolve(false));
    link.once('close', status => resolve(status === 0));
  });
}
