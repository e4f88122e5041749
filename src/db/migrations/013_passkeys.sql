-- Passkeys (WebAuthn credentials) of users.
CREATE TABLE passkeys (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz,
  sign_count bigint NOT NULL,
  -- Whether the authenticator can offer the passkey without knowing the account.
  discoverable boolean NOT NULL,
  -- Whether the authenticator has verified the user at least once. Until then, the passkey signs in nobody.
  uv_seen boolean NOT NULL,
  -- Backup eligibility, which never changes, and backup state (WebAuthn level 3, 6.1.3).
  be boolean NOT NULL,
  bs boolean NOT NULL,
  credential_id bytea NOT NULL,
  -- In COSE format.
  public_key bytea NOT NULL,
  transports text[],
  aaguid uuid NOT NULL,
  name text NOT NULL,
  created_via text COLLATE "C" NOT NULL CHECK (created_via IN ('settings', 'registration', 'upgrade', 'recovery'))
);

CREATE UNIQUE INDEX passkeys_by_credential ON passkeys (credential_id);
CREATE INDEX passkeys_of_user ON passkeys (user_id);

-- When users who had no passkey were last offered one after a sign-in. Not part of `users`, because a change of that
-- table reloads cached sessions.
CREATE TABLE passkey_offers (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  offered_at timestamptz NOT NULL
);

-- Codes that replace a lost authenticator, together with another proof. The hashes are HMACs whose key is not in the
-- database.
CREATE TABLE recovery_codes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz,
  created_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX recovery_codes_once ON recovery_codes (user_id, code_hash);
