import { useEffect, useRef } from 'preact/hooks';
import uPlot from 'uplot';
import { grouped } from './money.js';
import { dayText } from './time.js';

/** The colours of the page, as they are now. */
export type Colors = Readonly<Record<'accent' | 'accentSoft' | 'soft' | 'line' | 'warn', string>>;

interface PlotProps {
  /** The days below, such as `2026-03-31`. */
  readonly dates: readonly string[];
  /** The amounts of each series. The drawing may be rounded: its text is exact. */
  readonly series: readonly (readonly number[])[];
  /** Says a day in words, by its place. */
  readonly say: (place: number) => string;
  readonly optionsOf: (colors: Colors) => Pick<uPlot.Options, 'series' | 'scales' | 'hooks'>;
}

const HEIGHT_PX = 200;
/** The width of the amounts at the left. */
const AMOUNTS_PX = 72;
/** The name of a month or a day with the space around it. */
const DATE_PX = 72;
const DAY_SECONDS = 24 * 3600;
/** The number of days from which on months are named below, and not single days. */
const MONTHS_FROM_DAYS = 100;

/** Draws amounts of days, once and again when the width or the colours change. It never moves. */
export function Plot({ dates, series, say, optionsOf }: PlotProps) {
  const box = useRef<HTMLDivElement>(null);
  const value = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    const element = box.current;
    if (!element) return;
    let plot: uPlot | undefined;
    const show = (place: number | null | undefined): void => {
      if (value.current) value.current.textContent = say(place ?? dates.length - 1);
    };
    const draw = (): void => {
      plot?.destroy();
      const colors = colorsOf(element);
      const { hooks, ...options } = optionsOf(colors);
      const seconds = dates.map(date => Date.parse(`${date}T00:00:00Z`) / 1000);
      plot = new uPlot(
        { ...frameOf(element, colors), ...options, hooks: { ...hooks, setCursor: [({ cursor }) => show(cursor.idx)] } },
        [seconds, ...series.map(amounts => [...amounts])],
        element,
      );
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
  }, [dates]);
  return (
    <>
      <p class="chart-value" ref={value} aria-hidden="true" />
      <div ref={box} aria-hidden="true" />
    </>
  );
}

function colorsOf(element: HTMLElement): Colors {
  // Custom properties keep light-dark() as it is written; those of real properties are resolved.
  const probe = (name: string): string => {
    const part = element.appendChild(document.createElement('i'));
    part.style.color = `var(${name})`;
    const { color } = getComputedStyle(part);
    part.remove();
    return color;
  };
  return {
    accent: probe('--accent'),
    accentSoft: probe('--accent-soft'),
    soft: probe('--soft'),
    line: probe('--line'),
    warn: probe('--warn'),
  };
}

/** Everything but what is drawn: the size, the axes, the cursor. */
function frameOf(element: HTMLElement, { soft, line }: Colors): Omit<uPlot.Options, 'series'> {
  const axis = { stroke: soft, font: `12px ${getComputedStyle(element).fontFamily}`, ticks: { show: false } };
  return {
    width: element.clientWidth,
    height: HEIGHT_PX,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
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
  };
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
