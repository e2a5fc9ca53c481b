/** An operation that explorers show, ready to run. */
export interface ExampleOperation {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Beside `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}
