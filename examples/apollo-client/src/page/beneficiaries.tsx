import type { FragmentType } from '@apollo/client';
import { useFragment, useMutation, useQuery } from '@apollo/client/react';
import { useState, type ReactNode } from 'react';
import {
  AddBeneficiaryDocument,
  BeneficiariesDocument,
  BeneficiaryLineFragmentDoc,
  BeneficiaryListFragmentDoc,
  type BeneficiaryLineFragment,
} from '../generated/graphql.js';
import { Refusals } from './refusals.js';
import { useOrder } from './use-order.js';

/** The list, and a form that adds to it. The answer of the mutation has the new list, which the cache takes. */
export function Beneficiaries({ accountId }: { readonly accountId: string }): ReactNode {
  const { data, error } = useQuery(BeneficiariesDocument, { variables: { accountId } });
  const { data: account, complete } = useFragment({
    fragment: BeneficiaryListFragmentDoc,
    fragmentName: 'BeneficiaryList',
    from: data?.account ?? null,
  });
  if (error) return <Refusals error={error} />;
  if (!account || !complete) return null;
  return (
    <section aria-labelledby="beneficiaries">
      <h2 id="beneficiaries">{account.beneficiaries?.totalCount} beneficiaries</h2>
      <ul>
        {account.beneficiaries?.nodes.map(node => (
          <Line key={node.id} beneficiary={node} />
        ))}
      </ul>
      <Form accountId={accountId} />
    </section>
  );
}

/** It shows what its fragment asks for, and is shown anew when that changes, whatever else the list asks for. */
function Line({ beneficiary }: { readonly beneficiary: FragmentType<BeneficiaryLineFragment> }): ReactNode {
  const { data, complete } = useFragment({
    fragment: BeneficiaryLineFragmentDoc,
    fragmentName: 'BeneficiaryLine',
    from: beneficiary,
  });
  if (!complete) return null;
  const { name, relationship, sharePercentage } = data;
  return (
    <li>
      <span>
        {name.first} {name.last}
      </span>
      <span>
        {relationship.toLowerCase()}, {sharePercentage} %
      </span>
    </li>
  );
}

function Form({ accountId }: { readonly accountId: string }): ReactNode {
  const [first, setFirst] = useState('');
  const [last, setLast] = useState('');
  const [addBeneficiary, { error, loading }] = useMutation(AddBeneficiaryDocument);
  const order = useOrder();
  const input = {
    name: { first, last },
    beneficiaryType: 'CONTINGENT' as const,
    relationship: 'FRIEND' as const,
    sharePercentage: 10,
  };
  async function add(): Promise<void> {
    const variables = { accountId, input };
    if (!(await order(variables, context => addBeneficiary({ variables, context })))) return;
    setFirst('');
    setLast('');
  }
  return (
    <form
      onSubmit={event => {
        event.preventDefault();
        void add();
      }}
    >
      <input aria-label="First name" value={first} onChange={({ target }) => setFirst(target.value)} />
      <input aria-label="Last name" value={last} onChange={({ target }) => setLast(target.value)} />
      <button disabled={loading}>Add</button>
      {error && <Refusals error={error} />}
    </form>
  );
}
