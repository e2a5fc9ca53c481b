import type { FieldProblem } from '../../../shared/errors.js';
import { UsageError } from '../../../shared/usage-error.js';

/** A fault of a map. */
export interface MapFault extends FieldProblem {
  /** The fault in the words of the map, for whoever wrote it in a file. */
  readonly message: string;
}

/** A map does not fit the records or the header. The message has words of the map; its faults repeat none. */
export class UnfitMap extends UsageError {
  readonly faults: readonly FieldProblem[];

  constructor(faults: readonly MapFault[], advice: readonly string[] = []) {
    super([...new Set(faults.map(({ message }) => message)), ...advice].join('\n'));
    this.faults = faults.map(({ pointer, code, detail }) => ({ pointer, code, detail }));
  }
}
