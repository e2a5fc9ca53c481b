import type { Json } from '../../shared/json.js';

/** What a command has done: told to a person in lines as it goes, or to a program, with `--json`, as one object at the end. */
export class Report {
  constructor(
    private readonly stdout: { write(text: string): unknown },
    private readonly json: boolean,
  ) {}

  /** For a person. */
  line(text: string): void {
    if (!this.json) this.stdout.write(`${text}\n`);
  }

  /** For a program: once, whatever became of the work. Counts are numbers, and names stay as they are once they are released. */
  result(facts: Readonly<Record<string, Json>>): void {
    if (this.json) this.stdout.write(`${JSON.stringify(facts, toMillis)}\n`);
  }
}

/** Nobody measures a command closer than that. */
function toMillis(name: string, value: Json): Json {
  return name === 'seconds' && typeof value === 'number' ? Math.round(value * 1000) / 1000 : value;
}
