import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly label: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isEnd?: boolean;
  /**
   * On a narrow screen: first in the row, at the right of it, or below without the label. Below with it when absent.
   */
  readonly narrow?: 'lead' | 'side' | 'bare';
  /** The label is for screen readers alone, such as that of a column of buttons. */
  readonly isLabelHidden?: boolean;
}

interface TableProps<Row> {
  /** What the table is a list of, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isFresh?: (row: Row) => boolean;
}

/** A table that becomes a list of small cards where it has less than 40 rem. */
export function Table<Row>({ caption, columns, rows, keyOf, isFresh }: TableProps<Row>) {
  // The roles are those that the elements have; without them, some browsers forget them where the rows are no table
  // rows.
  return (
    <div class="table-box">
      <table class="table" role="table">
        <caption class="hidden-text">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, isEnd, isLabelHidden }) => (
              <th key={label} role="columnheader" scope="col" class={isEnd ? 'end' : undefined}>
                <span class={isLabelHidden ? 'hidden-text' : undefined}>{label}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map(row => (
            <tr key={keyOf(row)} role="row" class={isFresh?.(row) ? 'fresh' : undefined}>
              {columns.map(({ label, cell, isEnd, narrow, isLabelHidden }) => (
                <td
                  key={label}
                  role="cell"
                  class={[isEnd && 'end', narrow && `narrow-${narrow}`].filter(Boolean).join(' ') || undefined}
                  data-label={isLabelHidden ? undefined : label}
                >
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The link of a row: the whole row can be clicked, and the keyboard stops once. */
export function RowLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }) {
  return (
    <a class="row-link" href={href}>
      {children}
    </a>
  );
}
