import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from '../client/pages.js';
import { Button } from './button.js';
import { CsvButton, type CsvColumn } from './csv.js';
import { ErrorState, Loading } from './states.js';
import { OrderLink, type Order } from './table.js';
import { counted } from './words.js';

interface PagedListProps<Node> {
  readonly of: Pages<Node>;
  /** The name of the elements, such as `transaction`. */
  readonly noun: string;
  readonly many?: string;
  /** Shown in place of an empty list. */
  readonly empty: ComponentChildren;
  /** The heading of the list, in the row of its count, where no card has one above it. */
  readonly title?: string;
  /** The `Filters` of the list, in the row of its count. They stay while there is nothing to count. */
  readonly filters?: ComponentChildren;
  /** Saves the list otherwise than by `csv`. */
  readonly exports?: ComponentChildren;
  /** The columns of a file of the list. A list that is exported otherwise has none. */
  readonly csv?: readonly CsvColumn<Node>[];
  /** As the table has it, for screens on which its head is hidden. */
  readonly order?: Order;
  /** The number of rows that are shown, where several elements are one row. */
  readonly rows?: number | undefined;
  readonly children: (nodes: readonly Node[]) => ComponentChildren;
}

/** A list that loads more when its end comes into view, or by a button. */
export function PagedList<Node>(props: PagedListProps<Node>) {
  const { of: pages, noun, many = `${noun}s`, empty, rows, children } = props;
  const { nodes, hasMore, problem, more, reload, isLoading } = pages;
  const foot = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!foot.current || !hasMore) return;
    const observer = new IntersectionObserver(([seen]) => seen?.isIntersecting && more(), { rootMargin: '200px' });
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [rows ?? nodes.length, hasMore, more]);

  // The button that had the focus goes with the last page.
  const hadMore = useRef(false);
  useEffect(() => {
    if (hadMore.current && !hasMore && document.activeElement === document.body) {
      foot.current?.focus({ preventScroll: true });
    }
    hadMore.current = hasMore;
  }, [hasMore]);

  const isEmpty = nodes.length === 0;
  return (
    <>
      <Head {...props} many={many} />
      {!isEmpty && children(nodes)}
      {problem && <ErrorState problem={problem} onRetry={hasMore && !isEmpty ? more : reload} />}
      {isEmpty && !problem && (isLoading ? <Loading lines={6} label={`Loading ${many}`} /> : empty)}
      {!isEmpty && (
        <div class={hasMore ? 'list-foot' : 'list-end'} ref={foot} tabIndex={-1}>
          {hasMore && (
            <Button isSmall isBusy={isLoading} onClick={more}>
              Load more
            </Button>
          )}
        </div>
      )}
    </>
  );
}

type HeadProps<Node> = Omit<PagedListProps<Node>, 'empty' | 'children'> & { readonly many: string };

/** The row above a list: how much of it is shown, and what can be done with it. */
function Head<Node>({ of: pages, noun, many, title, filters, exports, csv, order, rows }: HeadProps<Node>) {
  const { nodes, totalCount, hasMore } = pages;
  const isEmpty = nodes.length === 0;
  if (isEmpty && !filters) return null;
  const isWhole = totalCount === undefined || totalCount === nodes.length;
  return (
    <div class="list-head">
      {title && <h2>{title}</h2>}
      {!isEmpty && (
        <span role="status">
          {isWhole ? counted(nodes.length, noun, many) : `${nodes.length} of ${counted(totalCount, noun, many)}`}
          {isWhole && hasMore && ' so far'}
          {rows !== undefined && rows < nodes.length && `, in ${counted(rows, 'row')}`}
        </span>
      )}
      {filters}
      {!isEmpty && (
        <>
          {order && <OrderLink order={order} />}
          {exports}
          {csv && <CsvButton of={pages} name={many} columns={csv} />}
        </>
      )}
    </div>
  );
}
