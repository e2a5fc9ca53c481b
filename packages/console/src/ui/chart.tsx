import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Loading } from './states.js';

interface ChartProps<Props> {
  /** Loads what draws, with the library for it: when there is something to draw. */
  readonly load: () => Promise<ComponentType<Props>>;
  readonly of: Props;
}

/** A chart, beside which a text says the same. */
export function Chart<Props extends object>({ load, of }: ChartProps<Props>) {
  const [chart, setChart] = useState<{ readonly Drawn: ComponentType<Props> }>();
  useEffect(() => {
    load().then(
      Drawn => setChart({ Drawn }),
      () => undefined,
    );
  }, []);
  return <div class="chart">{chart ? <chart.Drawn {...of} /> : <Loading label="Loading the chart" lines={5} />}</div>;
}
