import { answer, contractRecord, exactNumber, restOver, type RestPart } from 'tillgate/noun';
import { MAX_CURRENCIES, OverviewCurrency, OverviewDay, ProgramOverview, SHOWN_DAYS } from './overview.entity.js';
import { READ_OVERVIEW } from './overview.operations.js';
import type { OverviewService } from './overview.service.js';

interface Services {
  readonly overviews: OverviewService;
}
const rest = restOver<Services>();

const DAY = {
  date: '2026-03-31',
  currency: 'USD',
  credits: 1250.5,
  creditCount: 12,
  debits: 830.25,
  debitCount: 31,
  openedAccountCount: 1,
};
const CURRENCY = { currency: 'USD', deposits: 18250.75, openAccountCount: 24, days: [DAY] };

/** A program at a glance. */
export const overviewRest: RestPart<Services> = {
  tag: { name: 'Overview', description: 'A program at a glance.' },
  records: [
    { of: OverviewDay, example: DAY },
    { of: OverviewCurrency, differs: { days: { maxItems: SHOWN_DAYS } }, example: CURRENCY },
    {
      of: ProgramOverview,
      differs: {
        timeZone: { maxLength: 64 },
        currencies: { maxItems: MAX_CURRENCIES },
      },
      example: {
        asOf: '2026-03-31T18:05:00.000Z',
        timeZone: 'America/New_York',
        openAccountCount: 24,
        openedAccountCount: 3,
        inactiveCardCount: 1,
        activeCardCount: 19,
        frozenCardCount: 2,
        waitingApprovalCount: 0,
        currencies: [CURRENCY],
      },
    },
  ],
  operations: {
    getOverview: rest(READ_OVERVIEW, 'GET /overview', {
      summary: 'Get the overview',
      description:
        'The accounts, deposits, cards and volumes of the program, today and on the days before. They follow what is recorded a moment later.',
      run: ({ caller }, { overviews }) => overviews.get(caller),
      answer: answer('The overview.', 'ProgramOverview'),
      show: toRest,
    }),
  },
};

/** Amounts are numbers with all their digits. */
function toRest(overview: ProgramOverview): object {
  const currencies = overview.currencies.map(currency => ({
    ...currency,
    deposits: exactNumber(currency.deposits),
    days: currency.days.map(day => ({
      ...day,
      credits: exactNumber(day.credits),
      debits: exactNumber(day.debits),
    })),
  }));
  return { ...contractRecord({ ...overview, currencies: [] }), currencies };
}
