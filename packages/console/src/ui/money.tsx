interface MoneyProps {
  /** An exact decimal number as the API sends it, such as `-1250.00`. */
  readonly amount: string;
  /** Shown behind the amount; left out where a column says it once. */
  readonly currency?: string;
  /** The direction of a transaction: a sign before the amount says whether money enters or leaves. */
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

/** The first amount less the second one, exactly, with the digits of the one that has more. */
export function difference(amount: string, less: string): string {
  const digits = Math.max(...[amount, less].map(text => text.split('.')[1]?.length ?? 0));
  const [from, taken] = [amount, less].map(text => {
    const [whole = '', rest = ''] = text.split('.');
    return BigInt(whole + rest.padEnd(digits, '0'));
  });
  const left = (from ?? 0n) - (taken ?? 0n);
  const text = String(left < 0n ? -left : left).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return `${left < 0n ? '-' : ''}${whole}${digits > 0 ? `.${text.slice(-digits)}` : ''}`;
}
