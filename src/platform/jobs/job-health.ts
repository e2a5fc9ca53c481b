/** A connection that was lost fails once. What fails again needs somebody, such as a right that the role lacks. */
const FAILING_AFTER = 2;

/** Tells if jobs can be taken from the queue, as far as this process has tried. */
export class JobHealth {
  private failures = 0;

  /** True after two failures without a look into the queue between them that went well. */
  get isFailing(): boolean {
    return this.failures >= FAILING_AFTER;
  }

  failed(): void {
    this.failures += 1;
  }

  worked(): void {
    this.failures = 0;
  }
}
