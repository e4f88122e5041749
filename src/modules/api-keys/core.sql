-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
-- Accounts of programs. They cannot sign in, and have only the scopes that are listed.
CREATE TABLE IF NOT EXISTS service_accounts ();
ALTER TABLE service_accounts
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now(),
  -- A later epoch invalidates what nodes have cached about the keys of the account.
  ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS description text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(scopes) <= 200),
  ADD COLUMN IF NOT EXISTS is_enabled boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS ends_at timestamptz,
  -- The row of a deleted account is kept for as long as those of its keys.
  ADD COLUMN IF NOT EXISTS deleted_at timestamptz;
CREATE INDEX IF NOT EXISTS service_accounts_deleted ON service_accounts (deleted_at) WHERE deleted_at IS NOT NULL;

-- The users who get the emails about the account's keys.
CREATE TABLE IF NOT EXISTS service_account_owners ();
ALTER TABLE service_account_owners
  ADD COLUMN IF NOT EXISTS service_account_id uuid NOT NULL REFERENCES service_accounts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE;
CREATE UNIQUE INDEX IF NOT EXISTS service_account_owners_key ON service_account_owners (service_account_id, user_id);
CREATE INDEX IF NOT EXISTS service_account_owners_of_user ON service_account_owners (user_id);

-- Defaults are the values of rows whose column was lost. If no value would be correct for them, the repair fails.
CREATE TABLE IF NOT EXISTS api_keys ();
ALTER TABLE api_keys
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1,
  -- A personal key has a user, a service key has a service account.
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS service_account_id uuid REFERENCES service_accounts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS secret_hash bytea NOT NULL,
  -- The beginning and the end of the key, by which users recognize it.
  ADD COLUMN IF NOT EXISTS hint text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(scopes) <= 200),
  -- The networks from which the key is accepted, in CIDR notation. Empty: all.
  ADD COLUMN IF NOT EXISTS ip_ranges text[] COLLATE "C" NOT NULL CHECK (cardinality(ip_ranges) <= 20),
  ADD COLUMN IF NOT EXISTS ends_at timestamptz,
  ADD COLUMN IF NOT EXISTS ended_at timestamptz,
  ADD COLUMN IF NOT EXISTS end_reason text COLLATE "C",
  -- The key that was created to replace this one.
  ADD COLUMN IF NOT EXISTS replaced_by uuid,
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz,
  ADD COLUMN IF NOT EXISTS last_used_ip text COLLATE "C",
  -- The networks in which the key was used, the latest one last.
  ADD COLUMN IF NOT EXISTS networks text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS network_mailed_at timestamptz,
  -- The number of days before the end about which the last reminder was sent.
  ADD COLUMN IF NOT EXISTS reminded_days integer;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'api_keys'::regclass AND conname = 'api_keys_one_holder') THEN
    ALTER TABLE api_keys ADD CONSTRAINT api_keys_one_holder
      CHECK ((user_id IS NULL) <> (service_account_id IS NULL));
  END IF;
END $$;
CREATE UNIQUE INDEX IF NOT EXISTS api_keys_secret_key ON api_keys (secret_hash);
CREATE INDEX IF NOT EXISTS api_keys_of_user ON api_keys (user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_of_account ON api_keys (service_account_id, created_at)
  WHERE service_account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_by_end ON api_keys (ends_at) WHERE ended_at IS NULL AND ends_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS api_keys_ended ON api_keys (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS api_key_uses ();
ALTER TABLE api_key_uses
  ADD COLUMN IF NOT EXISTS key_id uuid NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS day date NOT NULL,
  ADD COLUMN IF NOT EXISTS count bigint NOT NULL DEFAULT 0;
CREATE UNIQUE INDEX IF NOT EXISTS api_key_uses_key ON api_key_uses (key_id, day);
CREATE INDEX IF NOT EXISTS api_key_uses_by_day ON api_key_uses (day);

-- These rules are triggers, so that they also apply to statements that are run by hand.
CREATE OR REPLACE FUNCTION raise_key_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER api_keys_changed BEFORE UPDATE ON api_keys FOR EACH ROW
  WHEN ((OLD.ended_at, OLD.ends_at, OLD.scopes, OLD.ip_ranges, OLD.secret_hash, OLD.user_id, OLD.service_account_id)
    IS DISTINCT FROM
    (NEW.ended_at, NEW.ends_at, NEW.scopes, NEW.ip_ranges, NEW.secret_hash, NEW.user_id, NEW.service_account_id))
  EXECUTE FUNCTION raise_key_epoch();
CREATE OR REPLACE TRIGGER service_accounts_changed BEFORE UPDATE ON service_accounts FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.deleted_at, OLD.ends_at, OLD.scopes)
    IS DISTINCT FROM (NEW.is_enabled, NEW.deleted_at, NEW.ends_at, NEW.scopes))
  EXECUTE FUNCTION raise_key_epoch();

CREATE OR REPLACE FUNCTION raise_epoch_of_owned_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE service_accounts SET epoch = epoch + 1 WHERE id IN (
    CASE WHEN TG_OP <> 'INSERT' THEN OLD.service_account_id END,
    CASE WHEN TG_OP <> 'DELETE' THEN NEW.service_account_id END);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER service_account_owners_changed AFTER INSERT OR UPDATE OR DELETE ON service_account_owners
  FOR EACH ROW EXECUTE FUNCTION raise_epoch_of_owned_account();

CREATE OR REPLACE FUNCTION record_key_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch)
    VALUES (OLD.id, CASE TG_OP WHEN 'DELETE' THEN OLD.epoch + 1 ELSE NEW.epoch END);
  RETURN NULL;
END $$;
-- Not limited to a column, because another trigger may have raised the epoch.
CREATE OR REPLACE TRIGGER api_keys_revoked AFTER UPDATE ON api_keys FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION record_key_revocation();
CREATE OR REPLACE TRIGGER api_keys_erased AFTER DELETE ON api_keys FOR EACH ROW
  EXECUTE FUNCTION record_key_revocation();
CREATE OR REPLACE TRIGGER service_accounts_revoked AFTER UPDATE ON service_accounts FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION record_key_revocation();
CREATE OR REPLACE TRIGGER service_accounts_erased AFTER DELETE ON service_accounts FOR EACH ROW
  EXECUTE FUNCTION record_key_revocation();

-- A key that has ended must not work again.
CREATE OR REPLACE FUNCTION keep_key_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.ended_at := OLD.ended_at;
  NEW.end_reason := OLD.end_reason;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER api_keys_kept_ended BEFORE UPDATE ON api_keys FOR EACH ROW
  WHEN (OLD.ended_at IS NOT NULL AND NEW.ended_at IS DISTINCT FROM OLD.ended_at) EXECUTE FUNCTION keep_key_ended();
