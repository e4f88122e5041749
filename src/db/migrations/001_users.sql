-- Email addresses and user names are compared byte by byte (collation C), so that no locale affects which of them are
-- equal.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text COLLATE "C" NOT NULL,
  user_name text COLLATE "C" NOT NULL,
  phone text COLLATE "C",
  password_hash text,
  user_type text NOT NULL DEFAULT 'customer',
  name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  display_name text,
  title text,
  gender text,
  dob text,
  picture text NOT NULL DEFAULT '',
  lang text,
  tmz text,
  metadata jsonb NOT NULL DEFAULT '{}',
  is_verified boolean NOT NULL DEFAULT false,
  two_factor boolean NOT NULL DEFAULT false,
  first_time boolean NOT NULL DEFAULT true,
  -- Increases with every change that makes cached sessions of the user invalid.
  session_epoch bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- False for a phone number that cannot be used to sign in. Otherwise, an attacker with a stolen session could add a
  -- number and sign in with it later.
  phone_trusted boolean NOT NULL DEFAULT true,
  -- Browsers that were remembered before this time need the second factor again.
  two_factor_changed_at timestamptz,
  -- The id of an imported user in the previous system.
  external_id text COLLATE "C",
  -- The text that administrators search, in lower case. A stored column, because it is compared for every match in the
  -- index.
  search_text text COLLATE "C" NOT NULL
    GENERATED ALWAYS AS (email || E'\n' || lower(user_name) || E'\n' || lower(btrim(name || ' ' || last_name))
      || E'\n' || lower(coalesce(display_name, ''))) STORED,
  CONSTRAINT users_email_lower CHECK (email = lower(email))
);

CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE UNIQUE INDEX users_user_name_key ON users (lower(user_name) COLLATE "C");
CREATE UNIQUE INDEX users_external_id_key ON users (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

-- For searches by the first digits.
CREATE UNIQUE INDEX users_phone_key ON users (phone) WHERE phone IS NOT NULL;
-- For searches by the last digits.
CREATE INDEX users_phone_reversed ON users (reverse(phone)) WHERE phone IS NOT NULL;

-- Users whose imported password hash has not been replaced by an Argon2id hash.
CREATE INDEX users_with_imported_hash ON users (id) WHERE password_hash LIKE 'imported:%';

-- Lists of users for administrators.
CREATE INDEX users_by_creation ON users (created_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_type ON users (user_type, created_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_name ON users (name, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_change ON users (updated_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_verification ON users (is_verified, created_at DESC, id) WHERE deleted_at IS NULL;

-- Three characters from each position of the text, fewer at its end. With an index of them, searches find any part of a
-- word. The index needs neither an extension nor a superuser.
CREATE FUNCTION search_terms(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN array_to_tsvector(ARRAY(SELECT substr($1, start, 3) FROM generate_series(1, length($1)) AS start));

-- The terms that every text containing the given text has. The given text must not be empty.
CREATE FUNCTION wanted_terms(text) RETURNS tsquery LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN (
  SELECT string_agg('''' || replace(replace(term, '\', '\\'), '''', '''''') || ''''
    || CASE WHEN length(term) < 3 THEN ':*' ELSE '' END, ' & ')
  FROM (SELECT substr($1, start, 3) FROM generate_series(1, greatest(length($1) - 2, 1)) AS start) AS terms (term)
)::tsquery;

-- The list of pending entries is short, because merging it delays the insert that fills it, and every search reads the
-- whole list.
CREATE INDEX users_search ON users USING gin (search_terms(search_text)) WITH (gin_pending_list_limit = 256)
  WHERE deleted_at IS NULL;

-- Blocked users cannot sign in. A block has no effect after `until`.
CREATE TABLE user_blocks (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  until timestamptz CHECK (until > since),
  reason text COLLATE "C" NOT NULL
);

-- The number of users of each type, without deleted ones, is the sum of the rows of the type. Each change adds a row,
-- so that no change waits for another. A cleanup job replaces the rows with their sum.
CREATE TABLE user_counts (
  user_type text NOT NULL,
  users integer NOT NULL
);
-- The rows have no key. A subscriber of logical replication identifies them by all their columns.
ALTER TABLE user_counts REPLICA IDENTITY FULL;

-- The argument is 1 for inserted rows and -1 for deleted rows.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts (user_type, users)
    SELECT user_type, TG_ARGV[0]::integer * count(*) FROM changed WHERE deleted_at IS NULL GROUP BY user_type;
  RETURN NULL;
END $$;

CREATE FUNCTION recount_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts (user_type, users)
    SELECT user_type, change FROM (VALUES (OLD.user_type, OLD.deleted_at, -1), (NEW.user_type, NEW.deleted_at, 1))
      AS states (user_type, deleted_at, change) WHERE deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION clear_user_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_counts;
  RETURN NULL;
END $$;

CREATE TRIGGER users_counted AFTER INSERT ON users REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_users('1');
CREATE TRIGGER users_uncounted AFTER DELETE ON users REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_users('-1');
-- For each row, so that the condition skips the many updates that do not affect the counts.
CREATE TRIGGER users_recounted AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.user_type, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.user_type, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION recount_user();
CREATE TRIGGER users_truncated AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION clear_user_counts();
