/** The last lines of a log, each with a number, so that a test file reads those of its own time. */
export class LogLines {
  private readonly lines: string[] = [];
  private dropped = 0;

  constructor(private readonly most = 20_000) {}

  add(line: string): void {
    this.lines.push(line);
    if (this.lines.length <= this.most) return;
    this.dropped += this.lines.splice(0, this.most / 2).length;
  }

  /** The lines from this number on, and the number of the next one. */
  since(number: number): { readonly lines: readonly string[]; readonly next: number } {
    return { lines: this.lines.slice(Math.max(0, number - this.dropped)), next: this.dropped + this.lines.length };
  }
}
