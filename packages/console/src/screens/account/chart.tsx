import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { grouped } from '../../ui/money.js';
import { dayText } from '../../ui/time.js';

export interface DayOfBalance {
  readonly date: string;
  readonly balance: string;
}

interface BalanceChartProps {
  readonly days: readonly DayOfBalance[];
  readonly currency: string;
  /** Is marked. */
  readonly lowest: DayOfBalance;
}

const HEIGHT_PX = 200;
/** The width of the amounts at the left. */
const AMOUNTS_PX = 72;
/** The name of a month or a day with the space around it. */
const DATE_PX = 72;
const DAY_SECONDS = 24 * 3600;
/** The number of days from which on months are named below, and not single days. */
const MONTHS_FROM_DAYS = 100;
const LOW_POINT_PX = 4;

/**
 * The balances of days as a line of steps. It is drawn once and again when the width or the colours change, and never
 * moves.
 */
export function BalanceChart({ days, currency, lowest }: BalanceChartProps) {
  const box = useRef<HTMLDivElement>(null);
  const value = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const show = (index: number | null | undefined): void => {
      const day = index == null ? days.at(-1) : days[index];
      if (value.current && day) value.current.textContent = `${dayText(day.date)}: ${grouped(day.balance)} ${currency}`;
    };
    const draw = (): void => {
      plot?.destroy();
      plot = new uPlot(optionsOf(element, days.indexOf(lowest), show), dataOf(days), element);
      show(null);
    };
    const size = new ResizeObserver(draw);
    size.observe(element);
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    // A typeface that comes later is not drawn by itself.
    document.fonts.addEventListener('loadingdone', draw);
    const theme = new MutationObserver(draw);
    theme.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    return () => {
      size.disconnect();
      theme.disconnect();
      dark.removeEventListener('change', draw);
      document.fonts.removeEventListener('loadingdone', draw);
      plot?.destroy();
    };
  }, [days]);
  return (
    <>
      <p class="chart-value" ref={value} aria-hidden="true" />
      <div ref={box} aria-hidden="true" />
    </>
  );
}

/** The drawing may be rounded; screen readers read the exact text of the balance. */
function dataOf(days: readonly DayOfBalance[]): uPlot.AlignedData {
  return [days.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1000), days.map(({ balance }) => Number(balance))];
}

function optionsOf(
  element: HTMLElement,
  lowest: number,
  show: (index: number | null | undefined) => void,
): uPlot.Options {
  const style = getComputedStyle(element);
  // Custom properties keep light-dark() as it is written; those of real properties are resolved.
  const probe = (name: string): string => {
    const part = element.appendChild(document.createElement('i'));
    part.style.color = `var(${name})`;
    const { color } = getComputedStyle(part);
    part.remove();
    return color;
  };
  const [accent, soft, line, area] = [probe('--accent'), probe('--soft'), probe('--line'), probe('--accent-soft')];
  const low = probe('--warn');
  const axis = { stroke: soft, font: `12px ${style.fontFamily}`, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    // From zero on: a scale that begins at the lowest balance would make much of a little.
    scales: { y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(0, max * 1.1) || 1] } },
    tzDate: seconds => uPlot.tzDate(new Date(seconds * 1000), 'UTC'),
    axes: [
      { ...axis, grid: { show: false }, size: 28, splits: datesBelow, values: datesText },
      {
        ...axis,
        grid: { stroke: line, width: 1 },
        size: AMOUNTS_PX,
        values: (_, splits) => splits.map(split => grouped(String(split))),
      },
    ],
    series: [
      {},
      {
        stroke: accent,
        fill: area,
        width: 1.5,
        points: { show: false },
        paths: uPlot.paths.stepped?.({ align: 1 }),
      },
    ],
    hooks: {
      setCursor: [({ cursor }) => show(cursor.idx)],
      draw: [plot => markLowest(plot, lowest, low)],
    },
  };
}

function markLowest(plot: uPlot, index: number, color: string): void {
  const [seconds, amount] = [plot.data[0][index], plot.data[1]?.[index]];
  if (seconds === undefined || amount == null) return;
  const { ctx } = plot;
  ctx.beginPath();
  ctx.arc(
    plot.valToPos(seconds, 'x', true),
    plot.valToPos(amount, 'y', true),
    LOW_POINT_PX * devicePixelRatio,
    0,
    2 * Math.PI,
  );
  ctx.fillStyle = color;
  ctx.fill();
}

const isShort = (min: number, max: number): boolean => max - min < MONTHS_FROM_DAYS * DAY_SECONDS;

/** Days, or the first days of months, as many as there is space for. */
function datesBelow(plot: uPlot, _: number, min: number, max: number): number[] {
  const begin = new Date(min * 1000);
  const dates = isShort(min, max)
    ? Array.from({ length: Math.round((max - min) / DAY_SECONDS) + 1 }, (__, day) => min + day * DAY_SECONDS)
    : Array.from(
        { length: 13 },
        (__, month) => Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1 + month) / 1000,
      ).filter(seconds => seconds <= max);
  const step = Math.ceil((dates.length * DATE_PX) / (plot.width - AMOUNTS_PX));
  return dates.filter((__, index) => index % step === 0);
}

function datesText({ data: [days] }: uPlot, dates: readonly number[]): string[] {
  const areDays = isShort(days[0] ?? 0, days.at(-1) ?? 0);
  return dates.map(seconds => {
    const text = dayText(new Date(seconds * 1000).toISOString().slice(0, 10));
    return areDays ? text.replace(/, \d+$/, '') : text.replace(/ \d+,/, '');
  });
}
