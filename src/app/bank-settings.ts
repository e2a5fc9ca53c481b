import type { SettingGroup } from '../platform/settings/setting.js';

const DEVELOPMENT = 'Development and production';

export const MODE_SETTINGS = {
  heading: DEVELOPMENT,
  settings: {
    NODE_ENV: {
      text: null,
      about:
        '`production` refuses what is for development only: the embedded database, the development issuer, generated keys, demo data, the sandbox.',
      unset: 'development',
      example: 'production',
    },
  },
} as const satisfies SettingGroup;

export const DEMO_SETTINGS = {
  heading: DEVELOPMENT,
  settings: {
    DEMO_DATA: {
      flag: null,
      refusedInProduction: 'demo data is',
      about:
        'Loads the programs `demo` and `acme` with customers, accounts, beneficiaries, cards and transactions up to yesterday, once.',
      unset: '`true` on the embedded database, else `false`',
      example: 'true',
    },
  },
} as const satisfies SettingGroup;

export const FOLDER_SETTINGS = {
  heading: 'Data',
  settings: {
    DATA_DIR: {
      text: '.data',
      about: 'The folder of the embedded database and of the keys that are generated for development.',
    },
    NOUNS: {
      list: 100,
      about:
        'Modules that [add nouns](embedding.md#add-a-noun), with tables, operations and events of their own: paths, which begin with a dot or a slash, and names of packages, separated by commas.',
      example: './nicknames.js',
    },
  },
} as const satisfies SettingGroup;

export const LOG_SETTINGS = {
  heading: 'Log, metrics and traces',
  settings: {
    LOG_LEVEL: {
      choice: 'info',
      of: ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      about: 'The level of [the log](maintain.md#log) on standard output. `info` writes one JSON line per request.',
    },
    LOG_CLIENT_ADDRESS: {
      flag: true,
      about: 'Writes the addresses of clients into the log. They are personal data under some laws.',
    },
    METRICS_TOKEN: {
      text: null,
      isValid: token => /^[A-Za-z0-9._~+/-]{16,256}=*$/.test(token),
      problem:
        'must be 16 to 256 letters, digits or . _ ~ + / -. Set such a token (openssl rand -hex 32), or unset it to serve no metrics in production.',
      about: 'The bearer token for `/metrics` (Prometheus). `openssl rand -hex 32` makes one.',
      unset: 'open to the loopback in development, closed in production',
      isSecret: true,
    },
  },
} as const satisfies SettingGroup;

export const BANK_SETTINGS = {
  heading: 'Bank',
  settings: {
    CARDS_PREFIX: {
      text: 'cards',
      // Clients and proxies resolve `.` and `..` before they send a path, so a route under these could never be
      // reached.
      isValid: prefix => /^(?!\.\.?$)[A-Za-z0-9._~-]{1,64}$/.test(prefix),
      problem:
        'must be one path segment of 1 to 64 letters, digits or . _ ~ -. Set such a segment, or unset it for cards.',
      about: 'The first segment of the paths of cards: `/{CARDS_PREFIX}/v1/cards`.',
    },
    IDEMPOTENCY_TTL_DAYS: {
      number: 30,
      range: [1, 3650],
      about: 'The number of days for which an idempotency key is remembered.',
    },
    STATEMENTS_MONTHLY: {
      flag: false,
      about: 'Issues the statements of each month automatically, on the first day of the next month at 12:30 UTC.',
    },
    SEARCH_LIMIT_PER_HOUR: {
      number: 300,
      range: [1, 1_000_000],
      about:
        'The number of searches by name, last four digits, e-mail or telephone in an hour, on behalf of one subject. More get 429.',
    },
  },
} as const satisfies SettingGroup;

export const SANDBOX_SETTINGS = {
  heading: DEVELOPMENT,
  settings: {
    SANDBOX: {
      flag: production => !production,
      refusedInProduction: 'the sandbox is',
      about:
        'Lets developers [make payments, card purchases and the time happen](sandbox.md) by request. It is refused in production.',
      unset: '`true` in development, else `false`',
    },
  },
} as const satisfies SettingGroup;
