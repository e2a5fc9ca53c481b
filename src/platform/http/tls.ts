import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { UsageError } from '../cli/usage-error.js';

/** A certificate or its key cannot be used. The message names the setting, and nothing of the file. */
export class BadTlsFile extends UsageError {}

export interface Tls {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Reads the certificate (with its chain) and the private key, both PEM. Throws `BadTlsFile`. */
export async function openTls({ certFile, keyFile }: { certFile: string; keyFile: string }): Promise<Tls> {
  const cert = await read('TLS_CERT', certFile);
  const key = await read('TLS_KEY', keyFile);
  check('TLS_CERT: is not a certificate in PEM.', () => createSecureContext({ cert }));
  check('TLS_KEY: is not a private key in PEM without a passphrase.', () => createSecureContext({ key }));
  check('TLS_KEY: is not the key of the certificate in TLS_CERT.', () => createSecureContext({ cert, key }));
  return { cert, key };
}

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new BadTlsFile(`${setting}: is not a file that can be read.`);
  }
}

function check(message: string, use: () => void): void {
  try {
    use();
  } catch {
    throw new BadTlsFile(message);
  }
}
