import { createReadStream } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../../shared/usage-error.js';

/** Files of a bank are for their owner alone. */
const OWNER_ONLY = 0o600;
/** So much is gathered before it is written. */
const WRITE_BYTES = 1024 * 1024;

/**
 * A file whose opening is known when everything else is written, such as one that begins with sums. What follows is
 * kept in a file beside it, so that no more than a megabyte is in memory.
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
    const body = await open(`${path}.body`, 'w', OWNER_ONLY).catch(() => {
      throw new UsageError('A file in the folder --out cannot be written. Check that the folder may be written to.');
    });
    return new ReturnFile(name, path, body);
  }

  async add(text: string): Promise<void> {
    const bytes = Buffer.byteLength(text);
    this.waiting.push(text);
    this.waitingBytes += bytes;
    this.sizeBytes += bytes;
    if (this.waitingBytes >= WRITE_BYTES) await this.flush();
  }

  /** Gives the file its name, so that nobody finds a half of it. */
  async finish(opening: string, closing: string): Promise<void> {
    await this.flush();
    await this.body.close();
    const whole = await open(`${this.path}.partial`, 'w', OWNER_ONLY);
    await whole.writeFile(opening);
    for await (const part of createReadStream(`${this.path}.body`)) await whole.writeFile(part as Buffer);
    await whole.writeFile(closing);
    await whole.close();
    await rename(`${this.path}.partial`, this.path);
    await rm(`${this.path}.body`);
    this.sizeBytes += Buffer.byteLength(opening) + Buffer.byteLength(closing);
  }

  /** Removes it, whether it is complete or not. */
  async discard(): Promise<void> {
    await this.body.close().catch(() => undefined);
    for (const path of [this.path, `${this.path}.body`, `${this.path}.partial`]) await rm(path, { force: true });
  }

  private async flush(): Promise<void> {
    await this.body.writeFile(this.waiting.splice(0).join(''));
    this.waitingBytes = 0;
  }
}
