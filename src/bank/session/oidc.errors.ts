/** Why a sign-in came to nothing. The page for each is in `sign-in.notice.ts`. */
export type SignInFailure = 'expired' | 'cancelled' | 'refused' | 'not_allowed' | 'unavailable';

/** A sign-in came to nothing. The message is for the operator's log, and names nobody. */
export class SignInFailed extends Error {
  constructor(
    readonly failure: SignInFailure,
    message: string,
  ) {
    super(message);
  }
}
