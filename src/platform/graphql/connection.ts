import { Extensions, Field, Int, ObjectType, type ClassType } from 'type-graphql';
import { MAX_PAGE_SIZE, type Listing, type Slice } from '../../shared/page.js';
import { Shareable } from './shareable.js';

@Shareable()
@ObjectType({ description: 'The place of a page in its list (Relay).', simpleResolvers: true })
export class PageInfo {
  @Field(() => Boolean, { description: 'True if the list has elements after this page.' }) hasNextPage!: boolean;
  @Field(() => Boolean, { description: 'True if the list has elements before this page.' }) hasPreviousPage!: boolean;
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the first element, such as `MTI`; null if the page is empty.',
  })
  startCursor!: string | null;
  @Field(() => String, {
    nullable: true,
    description: 'The cursor of the last element, such as `MjE`; null if the page is empty.',
  })
  endCursor!: string | null;
}

export interface Connection<Node> {
  edges(): Promise<{ cursor: string; node: Node }[]>;
  nodes(): Promise<readonly Node[]>;
  pageInfo(): Promise<PageInfo>;
  limit(): Promise<number>;
  totalCount(): Promise<number>;
}

/** A connection type over `NodeClass`. Its page and its total are read only if they are selected, the page once. */
export function connectionOf<Node extends object>(
  NodeClass: ClassType,
): new (listing: Listing<Node>) => Connection<Node> {
  const { name } = NodeClass;

  @ObjectType(`${name}Edge`, {
    description: `An element of type ${name}.`,
    simpleResolvers: true,
  })
  class Edge {
    @Field(() => String, {
      description: 'The place in this list, such as `MTI`.',
    })
    cursor!: string;
    @Field(() => NodeClass, { description: 'The element itself.' }) node!: Node;
  }

  @ObjectType(`${name}Connection`, { description: `A page of type ${name}.` })
  class NodeConnection implements Connection<Node> {
    private slice: Promise<Slice<Node>> | undefined;
    constructor(private readonly listing: Listing<Node>) {}

    @Field(() => [Edge], {
      description: 'The elements with their cursors.',
    })
    async edges(): Promise<{ cursor: string; node: Node }[]> {
      const { nodes, cursorAt } = await this.read();
      return nodes.map((node, index) => ({ cursor: cursorAt(index), node }));
    }

    @Field(() => [NodeClass], { description: 'The elements of the page.' })
    async nodes(): Promise<readonly Node[]> {
      return (await this.read()).nodes;
    }

    @Field(() => PageInfo, { description: 'The place of the page in its list.' })
    async pageInfo(): Promise<PageInfo> {
      const { nodes, cursorAt, hasNextPage, hasPreviousPage } = await this.read();
      const last = nodes.length - 1;
      return {
        hasNextPage,
        hasPreviousPage,
        startCursor: last < 0 ? null : cursorAt(0),
        endCursor: last < 0 ? null : cursorAt(last),
      };
    }

    @Field(() => Int, {
      description: `The maximum number of elements of the page: what was requested, or ${MAX_PAGE_SIZE} if that was more.`,
    })
    async limit(): Promise<number> {
      return (await this.read()).limit;
    }

    @Extensions({ cost: 1 })
    @Field(() => Int, {
      description: 'The number of elements that match in all.',
    })
    totalCount(): Promise<number> {
      return this.listing.total();
    }

    private read(): Promise<Slice<Node>> {
      return (this.slice ??= this.listing.page());
    }
  }
  return NodeConnection;
}
