import { extname } from 'node:path';
import type { RequestHandler } from 'express';
import { Piscina } from 'piscina';
import { exchangeOf } from '../../platform/http/exchange.js';
import { sendWhole } from '../../platform/http/send.js';
import type { PackedFile } from './bundle-thread.js';

const YEAR_SECONDS = 365 * 24 * 3600;
/** It takes about a second. */
const LOAD_TIMEOUT_MS = 30_000;

/** The address of a file of a bundle, by its name. */
export type FileAddresses = (name: string) => string;

/**
 * The files of a page that a package brings. They are many megabytes, so they are read when the page is first
 * asked for, in a thread that ends with it, and only what it packed is kept.
 */
export class Bundle {
  private loading: Promise<ReadonlyMap<string, PackedFile>> | undefined;

  /** `base` is the path of the page. */
  constructor(
    private readonly name: 'graphiql' | 'reference',
    private readonly base: string,
  ) {}

  async addresses(): Promise<FileAddresses> {
    const files = await this.files();
    const paths = new Map([...files].map(([path, { name }]) => [name, path]));
    return name => {
      const path = paths.get(name);
      if (path === undefined) throw new Error(`the bundle ${this.name} has no file ${name}`);
      return path;
    };
  }

  /**
   * Serves these files and no others: an address is looked up, and never opened. They are packed whatever the client
   * says, as unpacking megabytes for anyone who asks would be an easy way to keep a gateway busy.
   */
  readonly serve: RequestHandler = async (req, _, next) => {
    const file = (await this.files()).get(req.path);
    if (!file) return next();
    const { packed, type } = file;
    const headers = {
      'Content-Type': type,
      'Content-Encoding': 'gzip',
      'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
    };
    sendWhole(exchangeOf(req), 200, headers, Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength));
  };

  private files(): Promise<ReadonlyMap<string, PackedFile>> {
    return (this.loading ??= this.load().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    }));
  }

  private async load(): Promise<ReadonlyMap<string, PackedFile>> {
    // Beside this file, in whichever form it runs: compiled, or as it is written.
    const filename = new URL(`./bundle-thread${extname(import.meta.url)}`, import.meta.url).href;
    const threads = new Piscina({ filename, maxThreads: 1 });
    try {
      const signal = AbortSignal.timeout(LOAD_TIMEOUT_MS);
      const files = (await threads.run(undefined, { name: this.name, signal })) as PackedFile[];
      return new Map(files.map(file => [`${this.base}/${file.digest}/${file.name}`, file]));
    } finally {
      await threads.destroy();
    }
  }
}
