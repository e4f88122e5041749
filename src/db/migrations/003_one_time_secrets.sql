-- Links and codes that can be used once. A secret is valid only for the purpose and the target in its row.
CREATE TABLE one_time_secrets (
  id uuid PRIMARY KEY,
  purpose text NOT NULL,
  -- SHA-256. The token itself is not stored.
  secret_hash bytea NOT NULL,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  -- A further value that the secret is bound to, such as the email address that a link verifies.
  target text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  -- A message may contain a code and a link. Both are in one row, so that using either invalidates both. Codes are
  -- short. They are therefore stored as an HMAC whose key is not in the database, expire earlier, and accept only a few
  -- attempts.
  code_hash bytea,
  code_expires_at timestamptz,
  guesses integer NOT NULL DEFAULT 0
);

CREATE UNIQUE INDEX one_time_secrets_hash_key ON one_time_secrets (secret_hash);
CREATE INDEX one_time_secrets_unused_of_user ON one_time_secrets (user_id, purpose) WHERE used_at IS NULL;
-- Includes used secrets, for the deletion of a user.
CREATE INDEX one_time_secrets_of_user ON one_time_secrets (user_id);
CREATE INDEX one_time_secrets_by_expiry ON one_time_secrets (expires_at);
