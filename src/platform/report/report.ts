import type { Json } from '../../shared/json.js';

/**
 * Reports what a command has done: lines for a person as it runs, or with `--json` one object for a program at the end.
 */
export class Report {
  constructor(
    private readonly stdout: { write(text: string): unknown },
    private readonly json: boolean,
  ) {}

  /** For a person. */
  line(text: string): void {
    if (!this.json) this.stdout.write(`${text}\n`);
  }

  /** For a program: once, however the work ended. Released names do not change. */
  result(facts: Readonly<Record<string, Json>>): void {
    if (this.json) this.stdout.write(`${JSON.stringify(facts, toMillis)}\n`);
  }
}

function toMillis(name: string, value: Json): Json {
  return name === 'seconds' && typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
