/** An item of a subscription, with the cursor from which its client goes on after it. */
export interface LiveItem {
  readonly cursor: string;
}

/** Items as they come, without an end. An error ends them, and so does the signal that they were asked for with. */
export interface LiveStream<Item extends LiveItem = LiveItem> extends AsyncIterable<Item> {
  /** Where a client goes on that has had no item yet. */
  readonly cursor: string;
}
