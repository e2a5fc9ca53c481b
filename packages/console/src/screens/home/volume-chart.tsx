import { useMemo } from 'preact/hooks';
import uPlot from 'uplot';
import type { ConsoleOverviewQuery } from '../../generated/graphql.js';
import { grouped } from '../../ui/money.js';
import { Plot } from '../../ui/plot.js';
import { dayText } from '../../ui/time.js';

type Overview = NonNullable<ConsoleOverviewQuery['programOverview']>;
export type DayOfVolume = Overview['currencies'][number]['days'][number];

interface VolumeChartProps {
  readonly days: readonly DayOfVolume[];
  readonly currency: string;
}

/** The part of a day's width that its column takes, and the most pixels. */
const COLUMN = [0.7, 22] as const;

/** The money that came in on each day as columns above the line, and what went out as columns below it. */
export function VolumeChart({ days, currency }: VolumeChartProps) {
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const say = (place: number): string => {
    const day = days[place];
    if (!day) return '';
    return `${dayText(day.date)}: ${grouped(day.credits)} ${currency} in, ${grouped(day.debits)} ${currency} out`;
  };
  return (
    <Plot
      {...{ dates, say }}
      series={[days.map(({ credits }) => Number(credits)), days.map(({ debits }) => -Number(debits))]}
      optionsOf={({ accent, soft }) => {
        const column = { width: 0, points: { show: false }, paths: uPlot.paths.bars?.({ size: [...COLUMN] }) };
        return {
          scales: {
            x: { range: (_, min, max) => [min - HALF_DAY_SECONDS, max + HALF_DAY_SECONDS] },
            y: { range: (_, min, max) => [Math.min(0, min * 1.1), Math.max(0, max * 1.1) || 1] },
          },
          series: [{}, { ...column, fill: accent }, { ...column, fill: soft }],
        };
      }}
    />
  );
}

const HALF_DAY_SECONDS = 12 * 3600;
