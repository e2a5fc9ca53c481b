import { AMOUNT } from './usual-fields.js';

/** The limits, as requests name them. */
type LimitName = 'perTransfer' | 'perDay' | 'per30Days' | 'cardHoldsPerDay' | 'transfersPerDay';

/** A field for each limit, by what it is called. An empty one is no limit. */
export function limitFields(labels: Readonly<Record<LimitName, string>>) {
  const amount = (name: LimitName) => ({ ...AMOUNT, label: labels[name], isFilter: true }) as const;
  return {
    perTransfer: amount('perTransfer'),
    perDay: amount('perDay'),
    per30Days: amount('per30Days'),
    cardHoldsPerDay: amount('cardHoldsPerDay'),
    transfersPerDay: {
      label: labels.transfersPerDay,
      isFilter: true,
      inputMode: 'numeric',
      pattern: '\\d*',
      maxLength: 5,
      send: Number,
    },
  } as const;
}
