const MAX_FORMATS = 100;
const formats = new Map<string, Intl.DateTimeFormat>();

function formatFor(zone: string | undefined, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = JSON.stringify([zone, options]);
  const known = formats.get(name);
  if (known) return known;
  if (formats.size >= MAX_FORMATS) formats.clear();
  const made = new Intl.DateTimeFormat('en-US', { ...(zone && { timeZone: zone }), ...options });
  formats.set(name, made);
  return made;
}

const DAY: Intl.DateTimeFormatOptions = { year: 'numeric', month: 'short', day: 'numeric' };
const CLOCK: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };

interface TimeProps {
  /** An instant, such as `2026-03-31T18:05:00.000Z`. */
  readonly at: string;
  /** The zone of the account; that of the browser when absent. */
  readonly zone?: string | undefined;
  readonly withSeconds?: boolean;
}

/** An instant in the account's zone. UTC is on hover and for screen readers. */
export function Time({ at, zone, withSeconds }: TimeProps) {
  const date = new Date(at);
  const clock: Intl.DateTimeFormatOptions = withSeconds ? { ...CLOCK, second: '2-digit' } : CLOCK;
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  const own = zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <time datetime={at} title={`${utc}, shown in ${own}`}>
      {formatFor(zone, DAY).format(date)}, {formatFor(zone, clock).format(date)}
      <span class="hidden-text">, {utc}</span>
    </time>
  );
}

interface LocalTimeProps {
  /** The time that the clock where the account is shows, such as `2026-03-31T14:05:00`. */
  readonly local: string;
  /** The instant of `local` in UTC, such as `2026-03-31T18:05:00.000Z`. */
  readonly at: string;
}

/** A time as the API gives it in the account's zone, where the zone itself is not at hand. */
export function LocalTime({ local, at }: LocalTimeProps) {
  const date = new Date(`${local.slice(0, 19)}Z`);
  const utc = `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`;
  return (
    <time datetime={at} title={`${utc}, shown in the time zone of the account`}>
      {formatFor('UTC', DAY).format(date)}, {formatFor('UTC', CLOCK).format(date)}
      <span class="hidden-text">, {utc}</span>
    </time>
  );
}

/** A day of the calendar, such as `2026-03-31`, which has no zone. */
export function Day({ on }: { readonly on: string }) {
  return <time datetime={on}>{dayText(on)}</time>;
}

export function dayText(on: string): string {
  return formatFor('UTC', DAY).format(new Date(`${on}T00:00:00Z`));
}

/** The day in a zone that an instant falls on, such as `2026-03-31`. */
export function dayIn(zone: string, instant: Date): string {
  return formatFor(zone, { year: 'numeric', month: '2-digit', day: '2-digit' })
    .format(instant)
    .replace(/^(\d+)\/(\d+)\/(\d+)$/, '$3-$1-$2');
}
