interface Address {
  readonly line1: string;
  readonly line2?: string | null;
  readonly line3?: string | null;
  readonly city: string;
  readonly state?: string | null;
  readonly postalCode?: string | null;
  readonly country: string;
}

/** An address in one line. */
export function addressLine({ line1, line2, line3, city, state, postalCode, country }: Address): string {
  const place = [city, [state, postalCode].filter(Boolean).join(' ')].filter(Boolean).join(', ');
  return [line1, line2, line3, place, country].filter(Boolean).join(', ');
}
