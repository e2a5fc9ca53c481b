import { open, readdir, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from 'tillgate/noun';
import type { TaxFiling } from '../tax-filing.entity.js';
import { OVERTAKEN } from './filing-states.js';

/** Files of a bank are for their owner alone. */
const OWNER_ONLY = 0o600;
/** So much is gathered before it is written. */
const WRITE_BYTES = 1024 * 1024;

/** What the names of all files of a filing begin with, such as `1099-int-2026-original-7c0d5b1e-`. */
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
 * kept in a file without a name until then, so that no more than a megabyte is in memory, and a process that is killed
 * leaves nothing of it.
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
    const body = await open(partialOf(path), 'w+', OWNER_ONLY).catch(() => {
      throw new UsageError('A file in the folder --out cannot be written. Check that the folder may be written to.');
    });
    await rm(partialOf(path));
    return new ReturnFile(name, path, body);
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
    const whole = await open(partialOf(this.path), 'w', OWNER_ONLY);
    await whole.writeFile(opening);
    for await (const part of this.body.createReadStream({ start: 0 })) await whole.writeFile(part as Buffer);
    await whole.writeFile(closing);
    await whole.close();
    await rename(partialOf(this.path), this.path).catch(() => {
      throw new UsageError(OVERTAKEN);
    });
    this.sizeBytes += Buffer.byteLength(opening) + Buffer.byteLength(closing);
  }

  /** Removes it, whether it is complete or not. */
  async discard(): Promise<void> {
    await this.body.close().catch(() => undefined);
    for (const path of [this.path, partialOf(this.path)]) await rm(path, { force: true });
  }

  private async flush(): Promise<void> {
    await this.body.writeFile(this.waiting.splice(0).join(''));
    this.waitingBytes = 0;
  }
}

function partialOf(path: string): string {
  return `${path}.partial`;
}
