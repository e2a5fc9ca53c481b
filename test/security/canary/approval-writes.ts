import { OF_PROPOSED_ENDPOINT, type Canaries } from './canaries.js';
import type { CanaryGateway } from './house.js';
import type { CanaryRecords } from './records.js';
import { Writer } from './writer.js';

/** Writes that wait, with canaries in what is kept of them, and the decisions about them, over REST and GraphQL. */
export async function writeApprovals(
  house: CanaryGateway,
  canaries: Canaries,
  { account }: CanaryRecords,
): Promise<void> {
  await house.setApprovals({ changingWebhookEndpoints: true });
  const asking = new Writer(house, canaries, await house.caller());
  const deciding = new Writer(house, canaries, await house.callerAs('another-operator'));
  /** An endpoint that is created shows its URL in the clear, so only those that never are have canaries in theirs. */
  const wait = async (secret = ''): Promise<string> => {
    const body = { url: `https://hooks.canary.example/${secret}`, description: secret, accountIds: [account] };
    const write = { method: 'POST', path: '/webhook-endpoints', body };
    return (await asking.withReplay<{ approvalId: string }>(write)).approvalId;
  };
  const { taxId, email } = canaries.person('stray', 'an endpoint that waits');
  const decide = async (field: string, id: string, more = '') => {
    const query = `mutation ($id: ID!) { ${field}(input: { approvalId: $id${more} }) { approval { approvalId facts object } } }`;
    await deciding.once({ method: 'POST', path: '/graphql', body: { query, variables: { id } } });
  };
  await deciding.once({ method: 'POST', path: `/approvals/${await wait()}/approve` });
  await deciding.once({
    method: 'POST',
    path: `/approvals/${await wait(taxId)}/reject`,
    body: { reason: 'Not agreed.' },
  });
  await decide('approveApproval', await wait());
  await decide('rejectApproval', await wait(email), ', reason: "Not agreed."');
  // One that still waits when the tables are searched.
  await wait(taxId);
  await house.ask(await house.caller(), { path: '/approvals' }, OF_PROPOSED_ENDPOINT);
  await house.setApprovals(null);
}
