import { useEffect, useRef, useState } from 'preact/hooks';
import { grouped } from '../../ui/money.js';
import { dayText } from '../../ui/time.js';

export interface DayOfBalance {
  readonly date: string;
  readonly balance: string;
}

interface BalanceChartProps {
  readonly days: readonly DayOfBalance[];
  readonly currency: string;
}

const HEIGHT_PX = 190;
/** The space of the amounts at the left, of the months below, and of half a line above. */
const LEFT_PX = 68;
const BOTTOM_PX = 22;
const TOP_PX = 8;
/** A name of a month with the space around it. */
const MONTH_PX = 70;
/** About as many spaces are between the lines of round amounts. */
const SPACES = 4;

/**
 * The balances of days as a line of steps, which never moves. What is drawn may be rounded; what is read is the text of the balance.
 * Screen readers get the sentence and the table beside it.
 */
export function BalanceChart({ days, currency }: BalanceChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number | null>(null);
  useEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current?.clientWidth ?? 0));
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, []);

  const amounts = days.map(({ balance }) => Number(balance));
  const lines = linesFor(Math.min(...amounts), Math.max(...amounts));
  const [lowest = 0, highest = 1] = [lines[0], lines.at(-1)];
  const last = days.length - 1;
  const x = (index: number): number => LEFT_PX + ((width - LEFT_PX) * index) / Math.max(1, last);
  const y = (amount: number): number =>
    TOP_PX + ((HEIGHT_PX - TOP_PX - BOTTOM_PX) * (highest - amount)) / (highest - lowest);
  const steps = amounts.map((amount, index) => `H${x(index).toFixed(1)}V${y(amount).toFixed(1)}`).join('');
  const line = `M${LEFT_PX} ${y(amounts[0] ?? 0).toFixed(1)}${steps}`;
  const shown = days[pointed ?? last];

  const point = ({ offsetX }: PointerEvent): void => {
    const index = Math.round(((offsetX - LEFT_PX) / (width - LEFT_PX)) * last);
    setPointed(Math.min(last, Math.max(0, index)));
  };
  return (
    <div aria-hidden="true">
      <p class="chart-value">{shown && `${dayText(shown.date)}: ${grouped(shown.balance)} ${currency}`}</p>
      <div ref={box}>
        {width > LEFT_PX && (
          <svg {...{ width }} height={HEIGHT_PX} onPointerMove={point} onPointerLeave={() => setPointed(null)}>
            {lines.map(amount => (
              <g key={amount}>
                <path class="chart-grid" d={`M${LEFT_PX} ${y(amount)}H${width}`} />
                <text x={LEFT_PX - 8} y={y(amount) + 4} text-anchor="end">
                  {grouped(String(amount))}
                </text>
              </g>
            ))}
            {monthsFor(days, width - LEFT_PX).map(index => (
              <text key={index} x={x(index)} y={HEIGHT_PX - 4}>
                {monthText(days[index]?.date ?? '')}
              </text>
            ))}
            <path class="chart-area" d={`${line}V${y(lowest)}H${LEFT_PX}Z`} />
            <path class="chart-line" d={line} />
            {pointed !== null && (
              <>
                <path class="chart-pointer" d={`M${x(pointed)} ${TOP_PX}V${y(lowest)}`} />
                <circle class="chart-point" cx={x(pointed)} cy={y(amounts[pointed] ?? 0)} r="3.5" />
              </>
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

/** Round amounts from below the lowest to above the highest balance. */
function linesFor(lowest: number, highest: number): number[] {
  const rough = Math.max((highest - lowest) / SPACES, Number.EPSILON);
  const power = 10 ** Math.floor(Math.log10(highest > lowest ? rough : 1));
  const step = ([1, 2, 5].find(factor => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(lowest / step);
  const count = Math.max(1, Math.ceil(highest / step) - first) + 1;
  return Array.from({ length: count }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** The first days of months, as many as there is space for. */
function monthsFor(days: readonly DayOfBalance[], width: number): number[] {
  const firsts = days.flatMap(({ date }, index) => (date.endsWith('-01') ? [index] : []));
  const every = Math.ceil((firsts.length * MONTH_PX) / width);
  // The name of a month that begins at the right edge would be cut off.
  const fits = firsts.filter(index => ((days.length - index) * width) / days.length > MONTH_PX / 2);
  return fits.filter((_, place) => place % every === 0);
}

function monthText(date: string): string {
  return dayText(date).replace(/ \d+,/, '');
}
