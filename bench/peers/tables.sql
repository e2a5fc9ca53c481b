-- What the peers write, in the clear, and what PostGraphile needs to be asked for the same things as the others.
DROP TABLE IF EXISTS peer_beneficiary, peer_key CASCADE;

CREATE TABLE peer_key (key text PRIMARY KEY, account_id text NOT NULL, beneficiary_id uuid NOT NULL);

CREATE TABLE peer_beneficiary (
  account_id text NOT NULL REFERENCES account (account_id),
  beneficiary_id uuid NOT NULL,
  position bigserial NOT NULL,
  name_first text NOT NULL,
  name_middle text,
  name_last text NOT NULL,
  tax_id text,
  tax_id_type text,
  date_of_birth date,
  addresses jsonb NOT NULL,
  emails jsonb NOT NULL,
  phones jsonb NOT NULL,
  beneficiary_type text NOT NULL,
  relationship text NOT NULL,
  share_percentage int NOT NULL CHECK (share_percentage BETWEEN 0 AND 100),
  PRIMARY KEY (account_id, beneficiary_id)
);

CREATE OR REPLACE FUNCTION peer_mask(number text) RETURNS text LANGUAGE sql IMMUTABLE AS
$$ SELECT repeat('*', length(number) - 4) || right(number, 4) $$;

-- One statement is one transaction. Under a key that is taken it gives back the row that the first one made.
CREATE OR REPLACE FUNCTION peer_add(key text, account_id text, first text, middle text, last text, tax_id text, tax_id_type text,
  date_of_birth date, addresses jsonb, emails jsonb, phones jsonb, beneficiary_type text, relationship text, share_percentage int)
RETURNS SETOF peer_beneficiary LANGUAGE plpgsql VOLATILE AS $$
#variable_conflict use_column
DECLARE
  id uuid := gen_random_uuid();
BEGIN
  INSERT INTO peer_key VALUES (peer_add.key, peer_add.account_id, id) ON CONFLICT (key) DO NOTHING;
  IF FOUND THEN
    RETURN QUERY INSERT INTO peer_beneficiary (beneficiary_id, account_id, name_first, name_middle, name_last, tax_id, tax_id_type, date_of_birth,
        addresses, emails, phones, beneficiary_type, relationship, share_percentage)
      VALUES (id, peer_add.account_id, first, middle, last, peer_add.tax_id, peer_add.tax_id_type, peer_add.date_of_birth, peer_add.addresses,
        peer_add.emails, peer_add.phones, peer_add.beneficiary_type, peer_add.relationship, peer_add.share_percentage)
      RETURNING *;
  ELSE
    RETURN QUERY SELECT b.* FROM peer_key k JOIN peer_beneficiary b ON b.account_id = k.account_id AND b.beneficiary_id = k.beneficiary_id
      WHERE k.key = peer_add.key;
  END IF;
END
$$;

-- PostGraphile makes a mutation with one row out of it.
CREATE OR REPLACE FUNCTION peer_add_beneficiary(key text, account_id text, input jsonb) RETURNS peer_beneficiary LANGUAGE sql VOLATILE AS $$
  SELECT * FROM peer_add(key, account_id, input->'name'->>'first', input->'name'->>'middle', input->'name'->>'last', input->>'taxId',
    input->>'taxIdType', (input->>'dateOfBirth')::date, input->'addresses', input->'emails', input->'phones', input->>'beneficiaryType',
    input->>'relationship', (input->>'sharePercentage')::int)
$$;

CREATE OR REPLACE FUNCTION peer_accounts(ids text[]) RETURNS SETOF account LANGUAGE sql STABLE AS
$$ SELECT * FROM account WHERE account_id = ANY (ids) ORDER BY account_id $$;

CREATE OR REPLACE FUNCTION transaction_transaction_time(t transaction) RETURNS timestamp LANGUAGE sql STABLE AS
$$ SELECT t.transaction_timestamp AT TIME ZONE (SELECT a.time_zone FROM account a WHERE a.account_id = t.account_id) $$;

CREATE OR REPLACE FUNCTION transaction_posted_time(t transaction) RETURNS timestamp LANGUAGE sql STABLE AS
$$ SELECT t.posted_timestamp AT TIME ZONE (SELECT a.time_zone FROM account a WHERE a.account_id = t.account_id) $$;
