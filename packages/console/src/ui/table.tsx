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

/** The column by which the gateway has ordered the list, and where the list is in the other direction. */
export interface Order {
  readonly column: string;
  readonly isAscending: boolean;
  readonly href: string;
}

interface TableProps<Row> {
  /** The name of the list that the table is, for screen readers. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly isFresh?: (row: Row) => boolean;
  readonly order?: Order;
}

/** A table that becomes a list of small cards where it has less than 40 rem. */
export function Table<Row>({ caption, columns, rows, keyOf, isFresh, order }: TableProps<Row>) {
  // The roles are those that the elements have; without them, some browsers forget them where the rows are no table
  // rows.
  return (
    <div class="table-box">
      <table class="table" role="table">
        <caption class="hidden-text">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map(({ label, isEnd, isLabelHidden }) => {
              const sorted = order?.column === label ? order : undefined;
              return (
                <th
                  key={label}
                  role="columnheader"
                  scope="col"
                  class={isEnd ? 'end' : undefined}
                  aria-sort={sorted && (sorted.isAscending ? 'ascending' : 'descending')}
                >
                  {sorted && <OrderLink order={sorted} />}
                  <span class={isLabelHidden ? 'hidden-text' : sorted && 'sorted-label'}>{label}</span>
                </th>
              );
            })}
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

/** Turns the list round. It stands in the head of its column, or where the head is hidden above the list. */
export function OrderLink({ order: { column, isAscending, href } }: { readonly order: Order }) {
  return (
    <a class="order" href={href} title="Turn the order round">
      {column} <span aria-hidden="true">{isAscending ? '\u2191' : '\u2193'}</span>
    </a>
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
