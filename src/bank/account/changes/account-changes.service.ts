import { shownEvent } from '../../event/event.entity.js';
import type { EventFeed } from '../../../platform/feed/event-feed.js';
import type { Caller } from '../../../shared/caller.js';
import type { LiveStream } from '../../../shared/live.js';
import type { AccountChange } from './account-change.entity.js';
import { AccountWatch } from './account-watch.service.js';
import type { AccountService } from '../account.service.js';
import { FOLLOW_ACCOUNT } from '../account.operations.js';

/** Tells what happens to an account, as it happens. */
export class AccountChangeService {
  constructor(
    private readonly accounts: AccountService,
    private readonly feed: EventFeed,
  ) {}

  /** Throws `InsufficientScope`, `AccountNotFound`, `InvalidInput`. */
  async follow(
    caller: Caller,
    accountId: string,
    after: string | null | undefined,
    signal: AbortSignal,
  ): Promise<LiveStream<AccountChange>> {
    caller.require(FOLLOW_ACCOUNT);
    const { feed } = this;
    const { program } = caller;
    const watch = new AccountWatch(this.accounts, caller, accountId);
    await watch.now();
    const position = await feed.beginning(program, after);
    return {
      cursor: feed.cursorOf(program, position),
      [Symbol.asyncIterator]: () => this.items(watch, caller, accountId, position, signal),
    };
  }

  private async *items(
    watch: AccountWatch,
    caller: Caller,
    accountId: string,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<AccountChange> {
    const { program } = caller;
    const types = this.feed.types.readableBy(caller);
    const selection = this.feed.selectionOf(program, { accountId, types });
    for await (const page of this.feed.feed.follow(selection, after, signal)) {
      await watch.now();
      for (const shown of this.feed.shown(page)) {
        yield { cursor: shown.cursor, event: shownEvent(shown), account: await watch.recent() };
      }
    }
  }
}
