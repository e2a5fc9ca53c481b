import { TextField } from './field.js';

/** The limits that are amounts, as requests name them. */
export const LIMIT_AMOUNTS = ['perTransfer', 'perDay', 'per30Days', 'cardHoldsPerDay'] as const;
const LIMIT_NAMES = [...LIMIT_AMOUNTS, 'transfersPerDay'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
/** As they are typed: an empty text is no limit. */
export type LimitTexts = Readonly<Record<LimitName, string>>;

export function limitTextsOf(limits: Readonly<Partial<Record<LimitName, string | number | null>>>): LimitTexts {
  return Object.fromEntries(LIMIT_NAMES.map(name => [name, String(limits[name] ?? '')])) as LimitTexts;
}

/** Limits as they are sent. An amount goes as it was typed, so that it stays exact. */
export function limitsSent(texts: LimitTexts, names: readonly LimitName[] = LIMIT_NAMES) {
  const sentOf = (name: LimitName) => {
    const text = texts[name].trim();
    if (text === '') return null;
    return name === 'transfersPerDay' ? Number(text) : text;
  };
  return Object.fromEntries(names.map(name => [name, sentOf(name)]));
}

/** Those that were changed. */
export function changedLimits(before: LimitTexts, after: LimitTexts) {
  return limitsSent(
    after,
    LIMIT_NAMES.filter(name => after[name] !== before[name]),
  );
}

interface LimitFieldsProps {
  readonly labels: Readonly<Record<LimitName, string>>;
  readonly texts: LimitTexts;
  readonly onText: (name: LimitName, text: string) => void;
  readonly errorOf: (name: LimitName) => string | undefined;
}

/** A field for each limit. */
export function LimitFields({ labels, texts, onText, errorOf }: LimitFieldsProps) {
  const field = (name: LimitName) => ({
    label: labels[name],
    isFilter: true,
    value: texts[name],
    onValue: (text: string) => onText(name, text),
    error: errorOf(name),
  });
  return (
    <>
      {LIMIT_AMOUNTS.map(name => (
        <TextField key={name} {...field(name)} inputMode="decimal" maxLength={24} />
      ))}
      <TextField {...field('transfersPerDay')} inputMode="numeric" pattern="\d*" maxLength={5} />
    </>
  );
}
