export interface Page<Item> {
  readonly items: readonly Item[];
  /** The number of items of the whole list; undefined where the gateway does not count them. */
  readonly totalElements: number | undefined;
}

export interface FetchedPage<Item> extends Page<Item> {
  /** The path of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/**
 * A list that is read page by page, as far as somebody goes: `for await (const item of list)`, or page by page with
 * `pages()`.
 */
export class Listing<Item> implements AsyncIterable<Item> {
  constructor(
    private readonly first: string,
    private readonly fetch: (path: string) => Promise<FetchedPage<Item>>,
  ) {}

  async *pages(): AsyncGenerator<Page<Item>, void, undefined> {
    for (let next: string | undefined = this.first; next !== undefined;) {
      const fetched: FetchedPage<Item> = await this.fetch(next);
      yield fetched;
      next = fetched.next;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const { items } of this.pages()) yield* items;
  }
}
