import type { AccountView } from '../account/account.entity.js';
import type { AcceptedCommand } from '../../platform/command/command.js';
import type { ApprovalChange } from '../../shared/approval.js';
import { decimalOf } from '../../shared/money.js';
import { keptBack, type HoldView } from './hold.entity.js';
import type { HoldCommandFacts } from './hold.repository.js';

/** The change of what a hold keeps back, for those who approve it. */
export function holdChanges(
  { fact: { hold }, result: { holdId, heldAmount } }: AcceptedCommand<unknown, HoldCommandFacts, HoldView>,
  { currency }: AccountView,
): readonly ApprovalChange[] {
  const before = hold ? decimalOf(keptBack(hold), currency) : null;
  return [{ field: `holds/${holdId}/heldAmount`, before, after: heldAmount }];
}
