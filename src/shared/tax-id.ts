/** A tax id without the hyphens and spaces between its characters: with and without them it is one number. */
export function plainTaxId(taxId: string): string {
  return taxId.replaceAll(/[- ]/g, '');
}

/** An input as it is compared under an idempotency key. */
export function comparedTaxId<Input extends { readonly taxId?: string | null }>(input: Input): Input {
  return input.taxId ? { ...input, taxId: plainTaxId(input.taxId) } : input;
}
