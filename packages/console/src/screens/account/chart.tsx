import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import { grouped } from '../../ui/money.js';
import { Plot } from '../../ui/plot.js';
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

const LOW_POINT_PX = 4;

/** The balances of days as a line of steps. */
export function BalanceChart({ days, currency, lowest }: BalanceChartProps) {
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const say = (place: number): string => {
    const day = days[place];
    return day ? `${dayText(day.date)}: ${grouped(day.balance)} ${currency}` : '';
  };
  return (
    <Plot
      {...{ dates, say }}
      series={[days.map(({ balance }) => Number(balance))]}
      optionsOf={({ accent, accentSoft, warn }) => ({
        // From zero on: a scale that begins at the lowest balance would make much of a little.
        scales: { y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(0, max * 1.1) || 1] } },
        series: [
          {},
          {
            stroke: accent,
            fill: accentSoft,
            width: 1.5,
            points: { show: false },
            paths: uPlot.paths.stepped?.({ align: 1 }),
          },
        ],
        hooks: { draw: [plot => markLowest(plot, days.indexOf(lowest), warn)] },
      })}
    />
  );
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
