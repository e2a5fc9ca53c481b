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
  const { of: pages, noun, many = `${noun}s`, empty, title, exports, csv, order, rows, children } = props;
  const { nodes, totalCount, isLoading, hasMore, problem, more, reload } = pages;
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

  if (nodes.length === 0) {
    if (problem) return <ErrorState problem={problem} onRetry={reload} />;
    return isLoading ? <Loading lines={6} label={`Loading ${many}`} /> : <>{empty}</>;
  }
  const isWhole = totalCount === undefined || totalCount === nodes.length;
  const shown = isWhole ? counted(nodes.length, noun, many) : `${nodes.length} of ${counted(totalCount, noun, many)}`;
  return (
    <>
      <div class="list-head">
        {title && <h2>{title}</h2>}
        <span role="status">
          {shown}
          {isWhole && hasMore && ' so far'}
          {rows !== undefined && rows < nodes.length && `, in ${counted(rows, 'row')}`}
        </span>
        {order && <OrderLink order={order} />}
        {exports}
        {csv && <CsvButton of={pages} name={many} columns={csv} />}
      </div>
      {children(nodes)}
      {problem && <ErrorState problem={problem} onRetry={hasMore ? more : reload} />}
      <div class={hasMore ? 'list-foot' : 'list-end'} ref={foot} tabIndex={-1}>
        {hasMore && (
          <Button isSmall isBusy={isLoading} onClick={more}>
            Load more
          </Button>
        )}
      </div>
    </>
  );
}
