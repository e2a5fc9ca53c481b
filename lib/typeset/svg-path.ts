import { UnusablePicture } from './unusable-picture.js';

/** Steps of an outline by the operators of PDF, with absolute points: move, line, curve, close. */
export type Outline = readonly Step[];

interface Step {
  readonly operator: 'm' | 'l' | 'c' | 'h';
  readonly points: readonly number[];
}

type Point = readonly [x: number, y: number];

const MAX_STEPS = 20_000;
const MAX_NUMBER = 100_000;
const NUMBER = /[\s,]*([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/iy;
// A flag of an arc is one digit, and nothing need stand after it.
const FLAG = /[\s,]*([01])/y;
const COMMAND = /[\s,]*([a-z])/iy;
const END = /[\s,]*$/y;
const ARGUMENTS: Readonly<Record<string, number>> = { M: 2, L: 2, H: 1, V: 1, C: 6, S: 4, Q: 4, T: 2, A: 7, Z: 0 };

/** Reads the `d` of an SVG path (SVG 1.1, 8.3). Throws `UnusablePicture`. */
export function readOutline(d: string): Outline {
  const pen = new Pen();
  const take = takerOf(d);
  let command = take(COMMAND);
  if (command?.toUpperCase() !== 'M') throw unreadable();
  while (command) {
    const wanted = ARGUMENTS[command.toUpperCase()];
    if (wanted === undefined) throw unreadable();
    const values: number[] = [];
    for (let index = 0; index < wanted; index += 1) {
      const isFlag = wanted === 7 && (index === 3 || index === 4);
      const text = take(isFlag ? FLAG : NUMBER);
      if (text === null || Math.abs(Number(text)) > MAX_NUMBER) throw unreadable();
      values.push(Number(text));
    }
    pen.draw(command, values);
    if (pen.steps.length > MAX_STEPS) {
      throw new UnusablePicture(`The path has more than ${MAX_STEPS.toLocaleString('en')} steps. Simplify it.`);
    }
    if (take(END) !== null) return pen.steps;
    // Further numbers without a letter go on with the same command, and those after a move are lines.
    const next = take(COMMAND);
    if (next === null && wanted === 0) throw unreadable();
    command = next ?? (command === 'M' ? 'L' : command === 'm' ? 'l' : command);
  }
  throw unreadable();
}

function takerOf(text: string): (pattern: RegExp) => string | null {
  let at = 0;
  return pattern => {
    pattern.lastIndex = at;
    const found = pattern.exec(text);
    if (!found) return null;
    at = pattern.lastIndex;
    return found[1] ?? '';
  };
}

class Pen {
  readonly steps: Step[] = [];
  private at: Point = [0, 0];
  private start: Point = [0, 0];
  /** The last control point, for curves that go on smoothly, and of which kind of curve it was. */
  private control: { readonly of: 'C' | 'Q'; readonly point: Point } | null = null;

  draw(command: string, values: readonly number[]): void {
    const kind = command.toUpperCase();
    const [x0, y0] = command === kind ? [0, 0] : this.at;
    const pair = (index: number): Point => [x0 + values[index]!, y0 + values[index + 1]!];
    const before = this.control;
    this.control = null;
    if (kind === 'M') {
      this.start = pair(0);
      this.step('m', this.start);
    } else if (kind === 'Z') this.step('h', this.start);
    else if (kind === 'L') this.step('l', pair(0));
    else if (kind === 'H') this.step('l', [x0 + values[0]!, this.at[1]]);
    else if (kind === 'V') this.step('l', [this.at[0], y0 + values[0]!]);
    else if (kind === 'C') this.curve(pair(0), pair(2), pair(4));
    else if (kind === 'S') this.curve(this.reflected(before, 'C'), pair(0), pair(2));
    else if (kind === 'Q') this.quadratic(pair(0), pair(2));
    else if (kind === 'T') this.quadratic(this.reflected(before, 'Q'), pair(0));
    else this.arc(values, pair(5));
  }

  private step(operator: Step['operator'], to: Point, points: readonly number[] = operator === 'h' ? [] : to): void {
    this.steps.push({ operator, points });
    this.at = to;
  }

  private curve(first: Point, second: Point, to: Point): void {
    this.step('c', to, [...first, ...second, ...to]);
    this.control = { of: 'C', point: second };
  }

  private quadratic(control: Point, to: Point): void {
    const towards = ([x, y]: Point): Point => [x + (2 / 3) * (control[0] - x), y + (2 / 3) * (control[1] - y)];
    this.curve(towards(this.at), towards(to), to);
    this.control = { of: 'Q', point: control };
  }

  private reflected(before: Pen['control'], of: 'C' | 'Q'): Point {
    if (before?.of !== of) return this.at;
    return [2 * this.at[0] - before.point[0], 2 * this.at[1] - before.point[1]];
  }

  /** An arc of an ellipse as curves of at most a quarter (SVG 1.1, F.6). */
  private arc([width = 0, height = 0, degrees = 0, isLarge, isClockwise]: readonly number[], to: Point): void {
    const from = this.at;
    let [rx, ry] = [Math.abs(width), Math.abs(height)];
    if (from[0] === to[0] && from[1] === to[1]) return;
    if (rx === 0 || ry === 0) return this.step('l', to);
    const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const [dx, dy] = [(from[0] - to[0]) / 2, (from[1] - to[1]) / 2];
    const [x, y] = [cos * dx + sin * dy, cos * dy - sin * dx];
    const stretch = Math.max(1, Math.hypot(x / rx, y / ry));
    [rx, ry] = [rx * stretch, ry * stretch];
    const [square, sum] = [(rx * ry) ** 2, (rx * y) ** 2 + (ry * x) ** 2];
    const length = Math.sqrt(Math.max(0, (square - sum) / sum)) * (isLarge === isClockwise ? -1 : 1);
    const [cx, cy] = [(length * rx * y) / ry, (-length * ry * x) / rx];
    const first = Math.atan2((y - cy) / ry, (x - cx) / rx);
    const last = Math.atan2((-y - cy) / ry, (-x - cx) / rx);
    const around = last - first + (isClockwise ? (last < first ? 2 : 0) : last > first ? -2 : 0) * Math.PI;
    const place = (px: number, py: number): Point => [
      cos * (rx * px + cx) - sin * (ry * py + cy) + (from[0] + to[0]) / 2,
      sin * (rx * px + cx) + cos * (ry * py + cy) + (from[1] + to[1]) / 2,
    ];
    const count = Math.ceil(Math.abs(around) / (Math.PI / 2) - 1e-9);
    const handle = (4 / 3) * Math.tan(around / count / 4);
    for (let index = 0; index < count; index += 1) {
      const [a, b] = [first + (around * index) / count, first + (around * (index + 1)) / count];
      const end = index === count - 1 ? to : place(Math.cos(b), Math.sin(b));
      this.curve(
        place(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
        place(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
        end,
      );
    }
    this.control = null;
  }
}

function unreadable(): UnusablePicture {
  return new UnusablePicture('The path cannot be read. Send what the attribute d of an SVG path has.');
}
