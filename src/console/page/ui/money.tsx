interface MoneyProps {
  /** An exact decimal number as the API sends it, such as `-1250.00`. */
  readonly amount: string;
  /** Shown behind the amount; left out where a column says it once. */
  readonly currency?: string;
  /** Of a transaction: a sign before the amount says whether money enters or leaves. */
  readonly direction?: 'CREDIT' | 'DEBIT' | 'MEMO';
}

export function Money({ amount, currency, direction }: MoneyProps) {
  const signed = direction === 'DEBIT' ? `-${amount}` : amount;
  return (
    <span class={direction === 'CREDIT' ? 'money credit' : 'money'}>
      {direction === 'CREDIT' && '+'}
      {grouped(signed)}
      {currency && <span class="currency">{currency}</span>}
    </span>
  );
}

/** The digits of the text as they are, in groups of three; never through a floating-point number. */
export function grouped(amount: string): string {
  const [, sign = '', whole = '', rest = ''] = /^(-?)(\d+)(\..*)?$/.exec(amount) ?? [];
  if (!whole) return amount;
  return `${sign && '\u2212'}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`;
}
