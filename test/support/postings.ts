const NAMES_OF_INPUT = {
  debitCreditMemo: 'direction',
  transactionTimestamp: 'transactedAt',
  postedTimestamp: 'postedAt',
  lineItem: 'lineItems',
  availableBalance: 'balanceAfter',
} as const;
type ContractName = keyof typeof NAMES_OF_INPUT;

type InputOf<Transaction> = {
  [Name in keyof Transaction as Name extends ContractName ? (typeof NAMES_OF_INPUT)[Name] : Name]: Transaction[Name];
};

/** Transactions by the contract's names, as `TransactionInput` has them. What is no record stays. */
export function inputsOf<Transaction extends object>(transactions: readonly Transaction[]): InputOf<Transaction>[] {
  return transactions.map(
    one =>
      (typeof one === 'object'
        ? Object.fromEntries(
            Object.entries(one).map(([name, value]) => [
              NAMES_OF_INPUT[name as ContractName] ?? name,
              value as unknown,
            ]),
          )
        : one) as InputOf<Transaction>,
  );
}
