import type { EntityManager } from '@mikro-orm/postgresql';
import type { Scope } from '../../shared/caller.js';
import type { Json } from '../../shared/json.js';

/** What somebody wants changed, whatever the door it came through. */
export interface Command<Result> {
  /** A noun and a verb, for example `beneficiary.add`. The same through both doors. */
  readonly name: string;
  readonly scope: Scope;
  /** What is asked for, in a form that does not depend on the door. Decides whether a retry is the same request. */
  readonly input: Json;
  readonly accountId: string;
  /** Throws unless the caller may still see what the command is about. Runs before a recorded result is shown again. */
  authorise(em: EntityManager): Promise<void>;
  /** What the event says of the change: which object, and plain facts without personal data. */
  event(result: Result): { object: string; data: Json };
}
