-- Links and codes that act once. A secret is typed by purpose and acts only on what its own row says.
CREATE TABLE one_time_secrets (
  id uuid PRIMARY KEY,
  purpose text NOT NULL,
  secret_hash text COLLATE "C" NOT NULL,
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  -- What it is bound to beyond the user, such as the address that a verification link proves.
  target text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE UNIQUE INDEX one_time_secrets_hash_key ON one_time_secrets (secret_hash);
CREATE INDEX one_time_secrets_unused_of_user ON one_time_secrets (user_id, purpose) WHERE used_at IS NULL;
CREATE INDEX one_time_secrets_by_expiry ON one_time_secrets (expires_at);
