/** The classes of what columns hold, each with its rule, from the least protected to the most. */
export const DATA_CLASSES = {
  public: 'What a program prints on its documents about itself.',
  internal: 'How the gateway works: states, versions, positions, times. Of no use to a stranger.',
  identifier:
    'Ids of accounts, customers, people of the bank, clients and requests. A pseudonym (GDPR, article 4 (5)): it names a person only together with other columns.',
  ledger: 'Money and its history. Shown to callers who see the account, and never changed.',
  personal: 'About a natural person (GDPR, article 4 (1)). Sealed, or in the clear for a reason.',
  card: 'Account data (PCI DSS 4.0.1). The number is sealed; the CVV is never stored.',
  secret: 'Opens something: keys, tokens, secrets. Sealed, or kept as a hash.',
} as const;
export type DataClass = keyof typeof DATA_CLASSES;

/** The classes whose columns must say how they are stored. */
export const PROTECTED_CLASSES = ['personal', 'card', 'secret'] as const;
export type ProtectedClass = (typeof PROTECTED_CLASSES)[number];
/** The classes whose columns are stored as they are. */
export const PLAIN_CLASSES = ['public', 'internal', 'identifier', 'ledger'] as const;
export type PlainClass = (typeof PLAIN_CLASSES)[number];

/** The way in which a protected column is stored. After `in the clear` comes the reason. */
export type Storage = 'sealed' | `${'encrypted' | 'hashed' | 'masked' | 'in the clear'}: ${string}`;

type ColumnOf<Row> = Extract<keyof Row, string>;

/** The class of each column of a table, by their properties. An embedded object is one property. */
export type DataInventory<Row = never> = {
  /** The time for which rows are kept, in plain English. */
  readonly kept: string;
  /** Types of GraphQL and records of REST that show the columns, besides those with the name of the entity. */
  readonly shownAs?: readonly string[];
} & { readonly [Plain in PlainClass]?: readonly ColumnOf<Row>[] } & {
  readonly [Protected in ProtectedClass]?: Readonly<Partial<Record<ColumnOf<Row>, Storage>>>;
};

const declared = new WeakMap<object, DataInventory>();

/**
 * Declares the class of every column of an entity, and how long its rows are kept: `docs/data.md` is written from it,
 * and `npm run check` fails where a column has no class.
 */
export function DataClasses<Row extends object>(
  inventory: DataInventory<Row>,
): (entity: { readonly prototype: Row }) => void {
  return entity => void declared.set(entity.prototype, inventory);
}

/** The declarations of an entity's class; undefined where it declares nothing. */
export function inventoryOf(prototype: object): DataInventory | undefined {
  return declared.get(prototype);
}
