import { LocalPlaces, LocalTally, type PlaceLimits, type PlaceLimiter, type Tally, type TallyOrder } from './limits.js';

/** Metrics as prom-client gives them in JSON. */
export type MetricsSnapshot = readonly object[];

/** The processes behind one port, with what they have in common. A process that serves alone has it for itself. */
export interface ProcessGroup {
  /** True for the process that also does what one of them does for all: jobs, deliveries, upkeep. */
  readonly leads: boolean;
  /** Null where the process serves alone. */
  readonly shared: {
    /** The metrics of all other processes, and the counts of those that have ended. */
    snapshots(): Promise<readonly MetricsSnapshot[]>;
    /** Says how others get the metrics of this process. */
    collect(snapshot: () => Promise<MetricsSnapshot>): void;
  } | null;
  /** True if all processes have served since the start, so that the end of one leaves others. */
  areAllReady(): Promise<boolean>;
  /** Tallies and places with one name are one for all processes. */
  tally(name: string, order: TallyOrder): Tally;
  places(name: string, limits: PlaceLimits): PlaceLimiter;
}

/** A process that serves alone. */
export const SINGLE_PROCESS: ProcessGroup = {
  leads: true,
  shared: null,
  areAllReady: async () => true,
  tally: (_name, order) => new LocalTally(order),
  places: (_name, limits) => new LocalPlaces(limits),
};
