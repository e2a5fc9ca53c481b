import { useState } from 'preact/hooks';
import { send } from '../../client/graphql.js';
import { asProblem, type Problem } from '../../client/problem.js';
import { waitingRequest } from '../../client/waiting.js';
import type { ConsoleApprovalQuery } from '../../generated/graphql.js';
import { Button } from '../../ui/button.js';
import { ProblemNote } from '../../ui/states.js';
import { ShownSecret, type NewSecret } from '../webhooks/secret.js';

type Approval = NonNullable<ConsoleApprovalQuery['approval']>;

/** Their results have a secret that is shown once. */
const SECRETS = ['webhook_endpoint.create', 'webhook_endpoint.rotate_secret'];

/** True if the result has a secret that this page can still show, since the request was sent from it. */
export function hasSecret({ approvalId, command }: Approval): boolean {
  return SECRETS.includes(command) && waitingRequest(approvalId) !== undefined;
}

/** The secret that an approved request has made, for who asked from this page. */
export function Secret({ approval }: { readonly approval: Approval }) {
  const [shown, setShown] = useState<NewSecret>();
  const [problem, setProblem] = useState<Problem>();
  if (approval.status !== 'APPROVED' || !hasSecret(approval)) return null;
  const show = async (): Promise<void> => {
    const request = waitingRequest(approval.approvalId);
    if (!request) return;
    try {
      const result = await send(request.operation, request.variables, { key: request.key });
      setShown(Object.values(result as Record<string, NewSecret>)[0]);
    } catch (error) {
      setProblem(asProblem(error));
    }
  };
  return (
    <>
      {problem && <ProblemNote problem={problem} />}
      <Button kind="primary" onClick={() => void show()}>
        Show the secret
      </Button>
      {shown && <ShownSecret title="The endpoint has a secret" of={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}
