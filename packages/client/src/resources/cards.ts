import * as documents from '../generated/documents.js';
import type { Graphql } from '../graphql.js';
import type { CallOptions, WriteOptions } from '../transport.js';

export type Card = documents.CardFieldsFragment;

/** Over GraphQL, since the path of cards in REST differs between gateways. */
export class Cards {
  constructor(private readonly graphql: Graphql) {}

  /** The oldest first. */
  async list(accountId: string, options?: CallOptions): Promise<readonly Card[]> {
    const { cards } = await this.graphql.only(documents.Cards, { accountId }, options);
    return cards ?? [];
  }

  async create(card: documents.CardInput, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.CreateCard, { input: card }, options)).card;
  }

  async activate(accountId: string, cardId: string, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.ActivateCard, { accountId, cardId }, options)).card;
  }

  async freeze(accountId: string, cardId: string, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.FreezeCard, { accountId, cardId }, options)).card;
  }

  async unfreeze(accountId: string, cardId: string, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.UnfreezeCard, { accountId, cardId }, options)).card;
  }

  /** It is lost or stolen, and cannot be used again. */
  async report(accountId: string, cardId: string, loss: documents.CardLoss, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.ReportCard, { accountId, cardId, loss }, options)).card;
  }

  async close(accountId: string, cardId: string, options?: WriteOptions): Promise<Card> {
    return (await this.graphql.only(documents.CloseCard, { accountId, cardId }, options)).card;
  }
}
