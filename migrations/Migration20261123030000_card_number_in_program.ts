import { Migration } from '@mikro-orm/migrations';

export class Migration20261123030000_card_number_in_program extends Migration {
  override name = 'Migration20261123030000_card_number_in_program';

  override up(): void | Promise<void> {
    // A card number is unique in its program. The digest of a number is keyed, so SHA-256 over it and the program needs
    // no key: what is stored can be made here, and it does not show that two programs have the same number. The byte 1
    // behind the id of the key marks what was made so, so that nothing is made twice, for example when a dump is
    // restored into these tables.
    this
      .addSql(`create function card_number_digest(keyed bytea, program text) returns bytea language sql immutable as $$
      select case when octet_length(keyed) = get_byte(keyed, 0) + 33
        then substring(keyed from 1 for get_byte(keyed, 0) + 1) || '\\x01'::bytea || sha256(keyed || convert_to(program, 'UTF8'))
        else keyed end
    $$;`);
    // Every writer gives the keyed digest: the gateway, a rotation of keys, and the release before this one.
    this.addSql(`create function digest_card_number() returns trigger language plpgsql as $$
      begin
        new.number_digest := card_number_digest(new.number_digest, (select program from account where account_id = new.account_id));
        return new;
      end
    $$;`);
    this.addSql(
      `create trigger digest_number before insert or update of "number_digest" on "card" for each row execute function digest_card_number();`,
    );
    this.addSql(`update "card" set "number_digest" = "number_digest";`);
  }

  /** Digests stay as they are: the release before finds an earlier number again once its keys have been rotated. */
  override down(): void | Promise<void> {
    this.addSql(`drop trigger digest_number on "card";`);
    this.addSql(`drop function digest_card_number();`);
    this.addSql(`drop function card_number_digest(bytea, text);`);
  }
}
