-- First and in one statement, because the table is locked until the run ends. No row is rewritten.
ALTER TABLE users
  ADD COLUMN IF NOT EXISTS privacy_region text NOT NULL DEFAULT 'global',
  ADD COLUMN IF NOT EXISTS gdpr_consent boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS gdpr_consent_at timestamptz,
  ADD COLUMN IF NOT EXISTS gdpr_consent_version text,
  ADD COLUMN IF NOT EXISTS ccpa_applies boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS ccpa_opt_out boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS ccpa_opt_out_at timestamptz;

-- NOT VALID, because the run would otherwise read the whole table while it is locked. Existing rows satisfy the
-- constraint, because they have the default.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
      WHERE conrelid = 'users'::regclass AND conname = 'users_privacy_region_known') THEN
    ALTER TABLE users ADD CONSTRAINT users_privacy_region_known
      CHECK (privacy_region IN ('eu', 'ca', 'eu_ca', 'global')) NOT VALID;
  END IF;
END $$;

-- Most users have not chosen a region. A search for them does not need the index.
CREATE INDEX IF NOT EXISTS users_by_privacy_region ON users (privacy_region) WHERE privacy_region <> 'global';

-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
-- Defaults are the values of rows whose column was lost. If no value would be correct for them, the repair fails.
CREATE TABLE IF NOT EXISTS user_privacy_events ();
ALTER TABLE user_privacy_events
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS subject_hash bytea NOT NULL,
  ADD COLUMN IF NOT EXISTS event text NOT NULL,
  ADD COLUMN IF NOT EXISTS old_value text,
  ADD COLUMN IF NOT EXISTS new_value text,
  ADD COLUMN IF NOT EXISTS version text,
  ADD COLUMN IF NOT EXISTS source text NOT NULL,
  ADD COLUMN IF NOT EXISTS ip_address text,
  ADD COLUMN IF NOT EXISTS user_agent text,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX IF NOT EXISTS user_privacy_events_of_user ON user_privacy_events (user_id, created_at DESC);

-- The history is append-only. When a user is deleted, only the references to the user are removed, together with the IP
-- address and the user agent.
CREATE OR REPLACE FUNCTION keep_privacy_event() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    RAISE EXCEPTION 'user_privacy_events is append-only';
  END IF;
  IF (NEW.id, NEW.subject_hash, NEW.event, NEW.old_value, NEW.new_value, NEW.version, NEW.source, NEW.created_at)
      IS DISTINCT FROM
      (OLD.id, OLD.subject_hash, OLD.event, OLD.old_value, OLD.new_value, OLD.version, OLD.source, OLD.created_at)
    OR (NEW.user_id IS NOT NULL AND NEW.user_id IS DISTINCT FROM OLD.user_id)
    OR (NEW.ip_address IS NOT NULL AND NEW.ip_address IS DISTINCT FROM OLD.ip_address)
    OR (NEW.user_agent IS NOT NULL AND NEW.user_agent IS DISTINCT FROM OLD.user_agent) THEN
    RAISE EXCEPTION 'user_privacy_events is append-only';
  END IF;
  IF NEW.user_id IS NULL THEN
    NEW.ip_address := NULL;
    NEW.user_agent := NULL;
  END IF;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER user_privacy_events_kept BEFORE UPDATE OR DELETE ON user_privacy_events
  FOR EACH ROW EXECUTE FUNCTION keep_privacy_event();

CREATE TABLE IF NOT EXISTS user_deletion_requests ();
ALTER TABLE user_deletion_requests
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS status text NOT NULL CHECK (status IN ('pending', 'cancelled')),
  ADD COLUMN IF NOT EXISTS reason text,
  ADD COLUMN IF NOT EXISTS requested_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS scheduled_for timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS cancelled_at timestamptz;
CREATE UNIQUE INDEX IF NOT EXISTS user_deletion_requests_pending
  ON user_deletion_requests (user_id) WHERE status = 'pending';
CREATE INDEX IF NOT EXISTS user_deletion_requests_due
  ON user_deletion_requests (scheduled_for) WHERE status = 'pending';

-- One archive per user, encrypted, until its link expires after a day.
CREATE TABLE IF NOT EXISTS user_privacy_exports ();
ALTER TABLE user_privacy_exports
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS status text NOT NULL CHECK (status IN ('pending', 'ready')),
  ADD COLUMN IF NOT EXISTS archive text,
  ADD COLUMN IF NOT EXISTS requested_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS user_privacy_exports_of_user ON user_privacy_exports (user_id);
CREATE INDEX IF NOT EXISTS user_privacy_exports_by_expiry ON user_privacy_exports (expires_at);
