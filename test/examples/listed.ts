import type { TestGateway } from '../support/gateway.js';

interface BeneficiaryList {
  readonly accountBeneficiaries: readonly { readonly name: { readonly first: string; readonly last: string } }[];
}

/** First and last names of the beneficiaries of an account, as a caller sees them. */
export async function namesOf(gateway: TestGateway, caller: string, account: string): Promise<string[]> {
  const { body } = await gateway.as(caller).rest.get<BeneficiaryList>(`/accounts/${account}/beneficiaries`);
  return body.accountBeneficiaries.map(({ name }) => `${name.first} ${name.last}`);
}
