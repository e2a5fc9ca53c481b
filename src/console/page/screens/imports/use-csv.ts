import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../../client/problem.js';
import { useQuery } from '../../client/query.js';
import { ConsoleImportTableDocument, type ColumnMapInput, type ImportKind } from '../../generated/graphql.js';
import { likelyChoices, mapOf, missingFields, type MapChoices, type Table } from './column-map.js';
import { headOf, isCsv } from './csv-pieces.js';

/** A chosen file of CSV, as far as it is known. */
interface ChosenCsv {
  readonly table: Table | null;
  readonly choices: MapChoices | null;
  readonly onChoices: (choices: MapChoices) => void;
  /** Null until every field that records must have has a column or a text. */
  readonly map: ColumnMapInput | null;
  readonly problem: Problem | undefined;
}

/** Reads the beginning of a file of CSV, and keeps what somebody chooses for its columns; null for other files. */
export function useCsv(kind: ImportKind, file: File | null): ChosenCsv | null {
  const csv = file !== null && isCsv(file) ? file : null;
  const [head, setHead] = useState<string | null>(null);
  const [unread, setUnread] = useState<Problem>();
  useEffect(() => {
    setHead(null);
    setUnread(undefined);
    if (csv === null) return;
    let isLeft = false;
    headOf(csv, null).then(
      text => isLeft || setHead(text),
      (error: unknown) =>
        isLeft || setUnread(new Problem(error instanceof Error ? error.message : '', { code: 'not_csv' })),
    );
    return () => {
      isLeft = true;
    };
  }, [csv]);
  const { data, problem } = useQuery(ConsoleImportTableDocument, head ? { input: { kind, lines: head } } : null);
  const table = data?.importTable ?? null;
  const [chosen, setChosen] = useState<{ readonly of: string; readonly choices: MapChoices } | null>(null);
  const of = `${kind} ${head}`;
  if (csv === null) return null;
  const choices = table && (chosen?.of === of ? chosen.choices : likelyChoices(table));
  const isWhole = table !== null && choices !== null && missingFields(table, choices).length === 0;
  return {
    table,
    choices,
    onChoices: next => setChosen({ of, choices: next }),
    map: isWhole ? mapOf(choices) : null,
    problem: unread ?? problem,
  };
}
