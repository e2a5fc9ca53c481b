import type { EntityClass } from '@mikro-orm/core';
import { Account, AccountOwner } from '../account/account.entity.js';
import { Approval } from '../approval/approval.entity.js';
import { Beneficiary } from '../beneficiary/beneficiary.entity.js';
import { Card } from '../card/card.entity.js';
import { ConsoleSession } from '../console/session.entity.js';
import { Event } from '../event/event.entity.js';
import { DeniedAttempt, ProgramEvent } from '../event/program-event.entity.js';
import { FeedPosition, FeedState } from '../platform/feed/feed.entity.js';
import { Hold } from '../hold/hold.entity.js';
import { FormerOwner } from '../account/former-owner.entity.js';
import { Customer } from '../owner/owner.entity.js';
import { IdempotencyKey } from '../platform/command/idempotency-key.entity.js';
import {
  IssueBatch,
  IssueLeftOut,
  IssueRun,
  IssueRunIssuer,
  IssueRunProgram,
} from '../statement/issue/issue-run.entity.js';
import { Program } from '../program/program.entity.js';
import { SandboxProgram } from '../sandbox/sandbox.entity.js';
import { Statement } from '../statement/statement.entity.js';
import { BalanceMark } from '../transaction/balance/balance-mark.entity.js';
import { Transaction } from '../transaction/transaction.entity.js';
import { Transfer, TransferKey } from '../transfer/transfer.entity.js';
import {
  WebhookAttempt,
  WebhookDelivery,
  WebhookDistribution,
  WebhookSender,
} from '../webhook/delivery/delivery.entity.js';
import { WebhookEndpoint } from '../webhook/webhook.entity.js';

/** Everything that is stored. */
export const entities: readonly EntityClass[] = [
  Customer,
  Account,
  AccountOwner,
  FormerOwner,
  Beneficiary,
  Card,
  Transaction,
  BalanceMark,
  Hold,
  Transfer,
  TransferKey,
  Statement,
  IssueRun,
  IssueRunProgram,
  IssueLeftOut,
  IssueBatch,
  IssueRunIssuer,
  Program,
  SandboxProgram,
  IdempotencyKey,
  Approval,
  Event,
  ProgramEvent,
  DeniedAttempt,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
  WebhookSender,
  WebhookDistribution,
  FeedPosition,
  FeedState,
  ConsoleSession,
];
