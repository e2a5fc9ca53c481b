import { Field, ObjectType, type ClassType } from 'type-graphql';
import type { Caller } from '../../shared/caller.js';

/** The description of a record in a payload. */
const RECORD = 'The record after the mutation, or before its deletion.';

/** The result of a mutation: what it is about, and what is to be said of the call. */
@ObjectType()
export abstract class Payload {
  constructor(caller: Caller) {
    this.replayed = caller.replayed;
  }

  @Field(() => Boolean, {
    description: 'True if a retry got the recorded result.',
  })
  readonly replayed: boolean;
}

/**
 * Makes the payload of a mutation that is about one record: `AddBeneficiaryPayload` of `addBeneficiary`, with the
 * record in the field with this name.
 */
export function payloadOf<View extends object>(
  mutation: string,
  field: string,
  Type: ClassType,
  description = RECORD,
): new (caller: Caller, record: View) => Payload {
  @ObjectType(`${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Payload`, {
    description: `The result of \`${mutation}\`.`,
  })
  class RecordPayload extends Payload {
    constructor(
      caller: Caller,
      private readonly given: View,
    ) {
      super(caller);
    }

    @Field(() => Type, { name: field, description })
    record(): View {
      return this.given;
    }

    /** The account of a record that belongs to one. */
    get accountId(): string | null {
      return (this.given as { readonly accountId?: string }).accountId ?? null;
    }
  }
  return RecordPayload;
}
