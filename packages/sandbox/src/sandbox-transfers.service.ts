import { Refusal, type Caller, type TransferService, type TransferView } from 'tillgate/noun';
import { TRANSFER, amountOf } from './demo/demo-words.js';
import type { SandboxAccess } from './sandbox.access.js';
import type { SandboxDraw } from './sandbox.draw.js';
import { SeedUsed } from './sandbox.errors.js';
import type { PaymentWish } from './sandbox-postings.service.js';

const RETURNED = 'Returned in the sandbox';

export interface IncomingTransferWish extends PaymentWish {
  readonly fromAccountId: string;
}
export interface TransferReturnWish {
  readonly accountId: string;
  readonly transferId: string;
}

/** Money that other accounts of the program send, and that goes back to them. */
export class SandboxTransferService {
  constructor(
    private readonly draw: SandboxDraw,
    private readonly access: SandboxAccess,
    private readonly transfers: TransferService,
  ) {}

  /** Throws what making a transfer throws, and `SeedUsed`. */
  async receive(caller: Caller, wish: IncomingTransferWish): Promise<TransferView> {
    const { accountId, fromAccountId, description, seed } = wish;
    const sender = caller.sending({ simulation: 'incoming-transfer', ...wish });
    const { currency } = await this.access.account(caller, accountId);
    const { id, random } = await this.draw.next(caller.program, 'incoming-transfer', seed);
    const amount = wish.amount ?? amountOf(random.between(1000, 30_000) / 100, currency);
    const input = { fromAccountId, toAccountId: accountId, transferId: id, amount, isOwnId: true };
    try {
      return await this.transfers.make(sender, { ...input, description: description ?? TRANSFER }, false);
    } catch (error) {
      throw error instanceof Refusal && error.code === 'transfer_mismatch' ? new SeedUsed() : error;
    }
  }

  /** Takes a transfer back that the account received, once. Throws what reversing a transfer throws. */
  async giveBack(caller: Caller, wish: TransferReturnWish): Promise<TransferView> {
    const { accountId, transferId } = wish;
    const sender = caller.sending({ simulation: 'transfer-return', ...wish });
    await this.access.account(caller, accountId);
    return this.transfers.reverse(sender, transferId, RETURNED, false, accountId);
  }
}
