/**
 * The database, or what is before it, cannot serve as it is set up. The message has one line for each problem: the
 * setting's name, what is wrong, what to do; never the value.
 */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}
