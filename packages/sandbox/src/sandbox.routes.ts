import type { Request, Router } from 'express';
import {
  StatementRun,
  callerOf,
  contractRecord,
  exactRouter,
  fieldNamesOf,
  noQuery,
  pick,
  readJson,
  readRecord,
  refuseOtherMethods,
  restHold,
  restTransaction,
  restTransfer,
  type Caller,
} from 'tillgate/noun';
import type { SandboxCardService } from './sandbox-cards.service.js';
import type { SandboxReturnService } from './sandbox-returns.service.js';
import type { SandboxTransferService } from './sandbox-transfers.service.js';
import type { SandboxClockService } from './sandbox-clock.service.js';
import { PAYMENT_KINDS, type SandboxPostingService } from './sandbox-postings.service.js';
import {
  ClockInput,
  MonthCloseInput,
  SimulatedAuthorizationRecord,
  SimulatedCaptureRecord,
  SimulatedHoldInput,
  SimulatedPaymentRecord,
  SimulatedRefundRecord,
  SimulatedReturnInput,
  SimulatedTransferRecord,
  SimulatedTransferReturnInput,
} from './sandbox.inputs.js';

const RUN_FIELDS = fieldNamesOf(StatementRun);

/** What happens to a bank, made by request: only where the sandbox is on. */
export function sandboxRoutes(of: {
  readonly postings: SandboxPostingService;
  readonly clock: SandboxClockService;
  readonly cards: SandboxCardService;
  readonly returns: SandboxReturnService;
  readonly transfers: SandboxTransferService;
}): Router {
  const router = exactRouter();
  /** The caller, if it may simulate: this is known before the body is read. */
  const allowed = (req: Request): Caller => {
    const caller = callerOf(req);
    of.postings.access.allow(caller, null);
    return caller;
  };

  router.get('/simulate/clock', noQuery, async (req, res) => {
    res.json(await of.clock.show(callerOf(req)));
  });

  router.post('/simulate/clock', noQuery, async (req, res) => {
    const caller = callerOf(req);
    of.clock.allow(caller);
    const { now, statementRuns } = await of.clock.move(caller, readRecord(ClockInput, await readJson(req)));
    res.json({ now, statementRuns: statementRuns.map(runToRest) });
  });

  router.post('/simulate/month-close', noQuery, async (req, res) => {
    const caller = callerOf(req);
    of.clock.allow(caller);
    res.json(runToRest(await of.clock.closeMonth(caller, readRecord(MonthCloseInput, await readJson(req)))));
  });

  for (const kind of PAYMENT_KINDS) {
    router.post(`/simulate/${kind}`, noQuery, async (req, res) => {
      const caller = allowed(req);
      const wish = withText(readRecord(SimulatedPaymentRecord, await readJson(req)));
      res.status(201).json(restTransaction(await of.postings.pay(caller, kind, wish)));
    });
  }

  router.post('/simulate/ach-return', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = readRecord(SimulatedReturnInput, await readJson(req));
    res.status(201).json(restTransaction(await of.returns.achReturn(caller, wish)));
  });

  router.post('/simulate/incoming-transfer', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = withText(readRecord(SimulatedTransferRecord, await readJson(req)));
    res.status(201).json(restTransfer(await of.transfers.receive(caller, wish)));
  });

  router.post('/simulate/transfer-return', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = readRecord(SimulatedTransferReturnInput, await readJson(req));
    res.json(restTransfer(await of.transfers.giveBack(caller, wish)));
  });

  router.post('/simulate/card-authorization', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = withText(readRecord(SimulatedAuthorizationRecord, await readJson(req)));
    res.status(201).json(restHold(await of.cards.authorize(caller, wish)));
  });

  router.post('/simulate/card-capture', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = withText(readRecord(SimulatedCaptureRecord, await readJson(req)));
    res.json(restHold(await of.cards.capture(caller, wish)));
  });

  router.post('/simulate/card-reversal', noQuery, async (req, res) => {
    const caller = allowed(req);
    res.json(restHold(await of.cards.reverse(caller, readRecord(SimulatedHoldInput, await readJson(req)))));
  });

  router.post('/simulate/hold-expiry', noQuery, async (req, res) => {
    const caller = allowed(req);
    res.json(restHold(await of.cards.expire(caller, readRecord(SimulatedHoldInput, await readJson(req)))));
  });

  router.post('/simulate/card-refund', noQuery, async (req, res) => {
    const caller = allowed(req);
    const wish = withText(readRecord(SimulatedRefundRecord, await readJson(req)));
    res.status(201).json(restTransaction(await of.returns.cardRefund(caller, wish)));
  });

  return refuseOtherMethods(router);
}

function runToRest(run: StatementRun): object {
  return contractRecord(pick(run, RUN_FIELDS));
}

/** A simulation as services take it: the JSON number of its amount becomes a decimal text. */
function withText<Wish extends { readonly amount?: number | null }>({ amount = null, ...wish }: Wish) {
  return { ...wish, amount: amount === null ? null : String(amount) };
}
