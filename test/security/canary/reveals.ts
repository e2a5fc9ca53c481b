import { OF_REVEALED_BENEFICIARY, OF_REVEALED_OWNER, type Canaries } from './canaries.js';
import type { CanaryGateway } from './house.js';
import type { CanaryRecords } from './records.js';
import { Writer, type Write } from './writer.js';

const REASON = 'Caller asked for a callback';
const SHOWN = 'taxId governmentId dateOfBirth emails phones { number } addresses { line1 line2 line3 }';

/**
 * Reveals an owner and a beneficiary, over REST and GraphQL and by retries: only these answers may have whole tax ids.
 */
export async function revealOverBothApis(
  house: CanaryGateway,
  canaries: Canaries,
  given: CanaryRecords,
): Promise<void> {
  const { account, owner: customerId } = given;
  const { body: page } = await house.ask(await house.caller(), { path: `/accounts/${account}/beneficiaries` });
  const { beneficiaryId } = page.accountBeneficiaries[0];
  const writer = new Writer(house, canaries, await house.caller('pii.read'));
  for (const [person, mayShow] of [
    [{ customerId }, OF_REVEALED_OWNER],
    [{ beneficiaryId }, OF_REVEALED_BENEFICIARY],
  ] as const) {
    const body = { ...person, reason: REASON };
    await writer.withRetry({ method: 'POST', path: `/accounts/${account}/reveal`, body, mayShow });
    const [[name, id]] = Object.entries(person) as [[string, string]];
    const query = `mutation ($account: ID!, $id: ID!) { write: revealPersonalData(input: { accountId: $account, ${name}: $id, reason: "${REASON}" }) { personalData { ${SHOWN} } } }`;
    const write: Write = { method: 'POST', path: '/graphql', body: { query, variables: { account, id } }, mayShow };
    await writer.withRetry(write);
  }
}
