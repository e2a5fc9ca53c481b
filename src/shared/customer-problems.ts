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
} as const;
