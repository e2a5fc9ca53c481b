import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../client/problem.js';
import { useQuery } from '../../client/query.js';
import { ConsoleImportTableDocument, type ImportKind } from '../../generated/graphql.js';
import { likelyChoices, mapOf, missingFields, type MapChoices, type Table } from './column-map.js';
import { headOf, isCsv } from './csv-pieces.js';
import type { CsvOrder } from './import-job.js';

/** A chosen file of CSV, as far as it is known. */
interface ChosenCsv {
  readonly table: Table | null;
  /** Null where a file has the map. */
  readonly choices: MapChoices | null;
  readonly onChoices: (choices: MapChoices) => void;
  /** Null until every field that records must have has a column or a text, or a file has the map. */
  readonly order: CsvOrder | null;
  readonly problem: Problem | undefined;
}

function orderOf(table: Table, choices: MapChoices | null, mapText: string | null): CsvOrder | null {
  const { headerLine, separator } = table;
  if (mapText !== null) return { headerLine, separator, map: { mapText } };
  if (choices === null || missingFields(table, choices).length > 0) return null;
  return { headerLine, separator, map: { map: mapOf(table, choices) } };
}

/** Returns what is read of a file; null until it is read, and where there is none. */
function useText(file: File | null, read: (file: File) => Promise<string>): { text: string | null; unread?: Problem } {
  const [found, setFound] = useState<{ of: File | null; text: string | null; unread?: Problem }>(NONE);
  useEffect(() => {
    if (file === null) return;
    let isLeft = false;
    read(file).then(
      text => isLeft || setFound({ of: file, text }),
      (error: unknown) => {
        const unread = new Problem(error instanceof Error ? error.message : '', { code: 'NOT_CSV' });
        if (!isLeft) setFound({ of: file, text: null, unread });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [file]);
  return found.of === file ? found : NONE;
}

const NONE = { of: null, text: null };

function textOf(file: File): Promise<string> {
  return file.text();
}

/**
 * Reads the beginning of a file of CSV, and keeps what somebody chooses for its columns, unless another file has the
 * map; null for other files.
 */
export function useCsv(kind: ImportKind, file: File | null, mapFile: File | null): ChosenCsv | null {
  const csv = file !== null && isCsv(file) ? file : null;
  const head = useText(csv, headOf);
  const map = useText(csv && mapFile, textOf);
  const isRead = head.text !== null && (mapFile === null || map.text !== null);
  const input = isRead ? { kind, lines: head.text as string, mapText: map.text } : null;
  const { data, problem } = useQuery(ConsoleImportTableDocument, input && { input });
  const table = data?.importTable ?? null;
  const [chosen, setChosen] = useState<{ readonly of: string; readonly choices: MapChoices } | null>(null);
  const of = `${kind} ${head.text}`;
  if (csv === null) return null;
  const choices = table && mapFile === null ? (chosen?.of === of ? chosen.choices : likelyChoices(table)) : null;
  return {
    table,
    choices,
    onChoices: next => setChosen({ of, choices: next }),
    order: table && orderOf(table, choices, map.text),
    problem: head.unread ?? map.unread ?? problem,
  };
}
