import { randomUUID } from 'node:crypto';
import { gatewayCaller } from '../platform/command/recording.js';
import type { Importer } from '../platform/import/batch.js';

/** Who imports on the command line: into one program, or where that is null each record into the one that it names. */
export function commandLine(program: string | null, subject: string): Importer {
  const requestId = randomUUID();
  return identity => gatewayCaller(program ?? identity, subject, { requestId });
}
