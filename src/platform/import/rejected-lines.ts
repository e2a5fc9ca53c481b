import { constants } from 'node:fs';
import { access, open, rm, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Refusal } from '../../shared/errors.js';

/** More reasons for one line help nobody. */
const MAX_ERRORS = 50;

/** The file that tells which lines were rejected and why, made with the first of them. It holds no values of the lines. */
export class RejectedLines {
  private file: FileHandle | null = null;
  private constructor(
    private place: string,
    private readonly fallback: string,
  ) {}

  /** Removes what an earlier import has left there. `fallback` is for a place that cannot be written to. */
  static async prepare(place: string, fallback: string): Promise<RejectedLines> {
    try {
      await access(dirname(place), constants.W_OK);
      await rm(place, { force: true });
      return new RejectedLines(place, fallback);
    } catch {
      await rm(fallback, { force: true });
      return new RejectedLines(fallback, fallback);
    }
  }

  /** Where the rejected lines are, or null if there are none. */
  get path(): string | null {
    return this.file && this.place;
  }

  async add(rejected: readonly { readonly line: number; readonly refusal: Refusal }[]): Promise<void> {
    if (rejected.length === 0) return;
    this.file ??= await this.open();
    const lines = rejected.map(({ line, refusal: { code, message, errors } }) => {
      const record = { line, code, detail: message, errors: errors?.slice(0, MAX_ERRORS) ?? [] };
      return `${JSON.stringify(record)}\n`;
    });
    await this.file.appendFile(lines.join(''));
  }

  async close(): Promise<void> {
    await this.file?.close();
  }

  private async open(): Promise<FileHandle> {
    try {
      return await open(this.place, 'w', 0o600);
    } catch (error) {
      if (this.place === this.fallback) throw error;
      this.place = this.fallback;
      return open(this.place, 'w', 0o600);
    }
  }
}
