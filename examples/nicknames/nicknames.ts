import * as t from 'tillgate/noun';

const SET = t.operation('nickname.set', {
  scope: 'nicknames:write',
  refusals: () => [new t.AccountNotFound(), new t.AccountClosed()],
});
const NICKNAME = { description: 'Such as `Holidays`; null if the account has none.' };

@t.Entity({ tableName: 'account_nickname' })
@t.DataClasses<AccountNickname>({ kept: 'with its account', identifier: ['accountId'], personal: { sealed: 'sealed' } })
@t.ObjectType({ description: 'What its owners call an account.', simpleResolvers: true })
class AccountNickname {
  @t.PrimaryKey({ type: 'text' }) @t.Field(() => t.ID, { description: t.ACCOUNT_ID }) accountId!: string;
  @t.Field(() => String, { ...NICKNAME, nullable: true }) nickname!: string | null;
  @t.Sealed({ as: 'secrets', shows: ['nickname'] }) @t.Property({ type: 'blob' }) sealed!: Buffer;
}
type NicknameView = Pick<AccountNickname, 'accountId' | 'nickname'>;
const SetNicknamePayload = t.payloadOf<NicknameView>('setNickname', 'nickname', AccountNickname);

class CreateNicknames extends t.Migration {
  override up(): void {
    this.addSql(`CREATE TABLE account_nickname (account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
      sealed bytea NOT NULL)`);
  }
}

@t.Input('A nickname.')
class NicknameInput {
  @t.Text(1, 40) @t.Field(() => String, { description: '1 to 40 characters.' }) nickname!: string;
}

@t.Input('The account, and its nickname.')
class SetNicknameInput extends NicknameInput {
  @t.Field(() => t.ID, { description: t.ACCOUNT_ID }) accountId!: string;
}

class NicknameService {
  constructor(
    private readonly accounts: t.AccountService,
    private readonly rows: t.BatchedRepository<AccountNickname, NicknameView>,
  ) {}

  private readonly overwriting = this.rows.updating();
  private readonly setting = this.accounts.command<NicknameInput, NicknameView | null, NicknameView, t.Draft>(SET, {
    readFacts: (transaction, requests) =>
      this.rows.each(
        transaction,
        requests.map(({ accountId }) => [accountId]),
      ),
    prepare: ({ accountId, input: { nickname } }) => ({
      result: { accountId, nickname },
      draft: this.rows.draft({ accountId, secrets: { nickname } }),
    }),
    permit: t.mustNotBeClosed,
    write: accepted =>
      accepted.map(({ fact, draft }) => (fact ? this.overwriting([draft]) : this.rows.insertion([draft]))),
    event: ({ accountId }) => ({ object: `account/${accountId}`, data: {} }),
  });

  /** Throws `AccountNotFound`, `AccountClosed`. */
  async set(caller: t.Caller, accountId: string, input: NicknameInput): Promise<NicknameView> {
    return await this.setting(caller, accountId, input);
  }

  find(accountId: string): Promise<NicknameView | null> {
    return this.rows.one(accountId);
  }
}

@t.Resolver(() => t.Account)
class NicknameResolver {
  constructor(private readonly nicknames: NicknameService) {}

  @t.FieldResolver(() => String, { ...NICKNAME, nullable: true })
  async nickname(@t.Root() { accountId }: t.AccountView): Promise<string | null> {
    return (await this.nicknames.find(accountId))?.nickname ?? null;
  }

  @t.Performs(SET)
  @t.Mutation(() => SetNicknamePayload, { nullable: true, description: 'Gives an account a nickname.' })
  async setNickname(
    @t.Writer() caller: t.Caller,
    @t.Arg('input', () => SetNicknameInput) { accountId, nickname }: SetNicknameInput,
  ): Promise<t.Payload> {
    const setting = this.nicknames.set(caller, accountId, { nickname });
    return new SetNicknamePayload(caller, await t.atPointer('/input', setting));
  }
}

type Services = { nicknames: NicknameService };
const rest = t.restOver<Services>();

const nicknameRest: t.RestPart<Services> = {
  tag: { name: 'Nicknames', description: 'What owners call their accounts.' },
  records: [{ of: AccountNickname, example: { accountId: 'demo-1001', nickname: 'Holidays' } }],
  operations: {
    setNickname: rest(SET, 'POST /accounts/{accountId}/nickname', {
      summary: 'Set the nickname',
      description: 'Gives an account a nickname.',
      path: { accountId: t.ACCOUNT_ID_PARAMETER },
      body: {
        description: 'The nickname.',
        input: NicknameInput,
        example: { nickname: 'Holidays' },
      },
      run: ({ caller, path, body }, { nicknames }) => nicknames.set(caller, path.accountId, body),
      answer: t.answer('The nickname.', 'AccountNickname'),
    }),
  },
};

type Needs = { accounts: t.AccountService };

export const nouns = [
  t.noun({
    entities: [AccountNickname],
    migrations: [{ name: 'nicknames/1-table', class: CreateNicknames }],
    scopes: ['nicknames:write'],
    events: [
      {
        type: 'account.nicknamed',
        action: 'nickname.set',
        description: 'An account got a nickname.',
        scope: 'accounts.read',
        facts: {},
        example: {},
      },
    ],
    services: ({ accounts, database, keys }: t.NounBase & Needs): Services => ({
      nicknames: new NicknameService(accounts, new t.BatchedRepository(database, AccountNickname, keys)),
    }),
    resolvers: [t.resolver(NicknameResolver, 'nicknames')],
    belongToAccount: [SetNicknamePayload],
    rest: () => [nicknameRest],
  }),
];
