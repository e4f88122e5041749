CREATE TABLE IF NOT EXISTS two_factor (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  method text NOT NULL CHECK (method IN ('email', 'sms', 'totp', 'passkey')),
  identifier text,
  status text NOT NULL CHECK (status IN ('pending_setup', 'active')),
  -- Encrypted.
  secret text,
  last_step bigint,
  metadata jsonb NOT NULL DEFAULT '{}',
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS two_factor_of_user ON two_factor (user_id, status);
CREATE UNIQUE INDEX IF NOT EXISTS two_factor_once ON two_factor (user_id, method, identifier);

CREATE TABLE IF NOT EXISTS two_factor_recovery_codes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  code_hash text NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS two_factor_recovery_codes_once ON two_factor_recovery_codes (user_id, code_hash);

CREATE TABLE IF NOT EXISTS two_factor_passkeys (
  two_factor_id uuid PRIMARY KEY REFERENCES two_factor ON DELETE CASCADE,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  sign_count bigint NOT NULL,
  transports text[],
  aaguid text,
  backed_up boolean NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS two_factor_passkeys_by_credential ON two_factor_passkeys (credential_id);
