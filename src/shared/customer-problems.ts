/** Codes about the customers of a program. */
export const CUSTOMER_PROBLEMS = {
  customer_not_found: [
    'not_found',
    'The program has no such customer.',
    'Check the customer id, and the program of the token.',
  ],
  customer_exists: [
    'conflict',
    'The id of the new customer is taken.',
    'Use another `customerId`, or leave it out. An id names one customer in all programs.',
  ],
  customer_erased: [
    'conflict',
    'The personal data of the customer was erased, so nothing more is written about the person.',
    'Create another customer.',
  ],
  customer_in_use: [
    'conflict',
    'The customer owns open accounts, or closed ones whose retention runs, or holds usable cards, so the personal data cannot be erased.',
    'Close the accounts and cards, or let others own and hold them, and wait until the retention is over.',
  ],
} as const;
