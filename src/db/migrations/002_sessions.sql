-- The bearer value is stored nowhere: token_hash is its SHA-256 in hex.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  token_hash text COLLATE "C" NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'revoked', 'expired')),
  two_factor_verified boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- Where the absolute lifetime begins: the sign-in, or the promotion of a partial session.
  started_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  -- When the holder last proved who they are.
  proved_at timestamptz NOT NULL,
  -- A partial session whose value was ever part of an address gets a new value when it is promoted.
  seen_in_address boolean NOT NULL DEFAULT false,
  ip_address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  user_device text NOT NULL DEFAULT '',
  device_id text,
  ended_at timestamptz,
  end_reason text
);

CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_live_of_user ON sessions (user_id, created_at) WHERE status IN ('pending', 'active');
CREATE INDEX sessions_by_last_use ON sessions (last_used_at);
