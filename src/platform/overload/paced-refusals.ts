const EVERY_MS = 10;
/** So many answers at once in each such time: some thousand a second, a fraction of what a processor could send. */
const AT_ONCE = 10;
/** Where more wait, a share of them is answered each time, so that hardly one waits longer than a third of a second. */
const SHARE = 0.1;

/**
 * Answers refusals no faster than leaves time for those who were let in. Some clients send their next request as soon as they are refused,
 * and a few hundred of them would keep the process busy with nothing else. Ordinarily a refusal goes out at once.
 */
export class PacedRefusals {
  private readonly due: (() => void)[] = [];
  private sent = 0;
  private timer: NodeJS.Timeout | null = null;

  /** Runs it now, or in its turn. As many wait as there are connections, at most. */
  send(answer: () => void): void {
    this.timer ??= setTimeout(() => this.next(), EVERY_MS);
    if (this.sent < AT_ONCE) {
      this.sent += 1;
      answer();
    } else this.due.push(answer);
  }

  private next(): void {
    const answers = this.due.splice(0, Math.max(AT_ONCE, Math.ceil(this.due.length * SHARE)));
    this.sent = answers.length;
    this.timer = answers.length > 0 ? setTimeout(() => this.next(), EVERY_MS) : null;
    for (const answer of answers) answer();
  }
}
