-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
-- Defaults are the values of rows whose column was lost. If no value would be correct for them, the repair fails.
CREATE TABLE IF NOT EXISTS two_factor ();
ALTER TABLE two_factor
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS method text NOT NULL CHECK (method IN ('email', 'sms', 'totp', 'passkey')),
  ADD COLUMN IF NOT EXISTS identifier text,
  -- The core stores passkeys. Only unfinished enrolments are rows of this table.
  ADD COLUMN IF NOT EXISTS status text NOT NULL CHECK (status IN ('pending_setup', 'active')),
  -- Encrypted.
  ADD COLUMN IF NOT EXISTS secret text,
  ADD COLUMN IF NOT EXISTS last_step bigint,
  ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX IF NOT EXISTS two_factor_of_user ON two_factor (user_id, status);
CREATE UNIQUE INDEX IF NOT EXISTS two_factor_once ON two_factor (user_id, method, identifier);
