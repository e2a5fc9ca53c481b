import type { SettingGroup } from 'tillgate/noun';

/**
 * The most days for which requests are kept. The subject of a token may be a pseudonym of a customer, and a month is
 * the time in which a wish to be erased is answered (GDPR, article 12 (3)).
 */
const MAX_KEPT_DAYS = 30;

export const REQUEST_SETTINGS = {
  heading: 'Request log',
  settings: {
    REQUEST_LOG: {
      choice: 'writes',
      of: ['off', 'writes', 'all'],
      about:
        'The requests of clients that are kept in the [log of requests](requests.md): `writes` are those that may change something and those that were refused, and `all` are reads as well.',
    },
    REQUEST_LOG_DAYS: {
      number: 14,
      range: [1, MAX_KEPT_DAYS],
      about: 'The days for which requests are kept in the log.',
    },
  },
} as const satisfies SettingGroup;
