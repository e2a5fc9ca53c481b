import { csvLine } from '../../../../../lib/csv/csv.js';
import type { Fault } from './pieces.js';

/** RFC 4180, with a byte order mark by which spreadsheets know UTF-8. */
export function faultsCsv(faults: readonly Fault[]): Blob {
  const lines = faults.map(({ line, pointer, code, detail }) => csvLine([String(line), pointer, code, detail]));
  return new Blob(['\ufeff', csvLine(['line', 'field', 'reason', 'detail']), ...lines], { type: 'text/csv' });
}

/** Has the browser keep a file. */
export function saveAs(name: string, content: Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
