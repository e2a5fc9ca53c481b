import type { EntityClass } from '@mikro-orm/core';
import { Account, AccountOwner } from '../account/account.entity.js';
import { Beneficiary } from '../beneficiary/beneficiary.entity.js';
import { Card } from '../card/card.entity.js';
import { Event } from '../event/event.entity.js';
import { FeedPosition, FeedState } from '../platform/feed/feed.entity.js';
import { FormerOwner } from '../account/former-owner.entity.js';
import { Customer } from '../owner/owner.entity.js';
import { IdempotencyKey } from '../platform/command/idempotency-key.entity.js';
import { IssueBatch, IssueRun } from '../statement/issue/issue-run.entity.js';
import { Statement } from '../statement/statement.entity.js';
import { Transaction } from '../transaction/transaction.entity.js';
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
  Statement,
  IssueRun,
  IssueBatch,
  IdempotencyKey,
  Event,
  WebhookEndpoint,
  WebhookDelivery,
  WebhookAttempt,
  WebhookSender,
  WebhookDistribution,
  FeedPosition,
  FeedState,
];
