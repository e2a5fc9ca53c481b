import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { UsageError } from '../../shared/usage-error.js';

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
  check(
    'The file in TLS_CERT is not a certificate in PEM format. Set TLS_CERT to a PEM file with the certificate and its chain.',
    () => createSecureContext({ cert }),
  );
  check(
    'The file in TLS_KEY is not a private key in PEM format without a passphrase. Set TLS_KEY to such a file.',
    () => createSecureContext({ key }),
  );
  check(
    'The key in TLS_KEY does not belong to the certificate in TLS_CERT. Set TLS_KEY to the key of that certificate.',
    () => createSecureContext({ cert, key }),
  );
  return { cert, key };
}

async function read(setting: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch {
    throw new BadTlsFile(`The file in ${setting} cannot be read. Check the path and the permissions.`);
  }
}

function check(message: string, use: () => void): void {
  try {
    use();
  } catch {
    throw new BadTlsFile(message);
  }
}
