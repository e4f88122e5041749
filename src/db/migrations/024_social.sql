-- Who a user is to an identity provider. An identity is (provider, issuer, subject), never an address; address, name and
-- picture are only what the provider said last, to be shown to the user.
CREATE TABLE social_accounts (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  provider text COLLATE "C" NOT NULL,
  issuer text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  email text COLLATE "C",
  name text NOT NULL DEFAULT '',
  picture text NOT NULL DEFAULT '',
  linked_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL
);

CREATE UNIQUE INDEX social_accounts_identity ON social_accounts (provider, issuer, subject);
-- One of each provider: whoever has got the address of another identity of it is somebody else.
CREATE UNIQUE INDEX social_accounts_of_user ON social_accounts (user_id, provider);

-- A visit to a provider that has begun. All that the way back must not decide any more stands here. Deleted by whoever
-- comes back first.
CREATE TABLE social_flows (
  state_hash text COLLATE "C" PRIMARY KEY,
  -- Of the value that the browser keeps.
  flow_hash text COLLATE "C" NOT NULL,
  provider text COLLATE "C" NOT NULL,
  format text NOT NULL CHECK (format IN ('web', 'json')),
  -- For whom, when it adds the identity to a user who is signed in, and the session that asked for it.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  CHECK ((user_id IS NULL) = (session_id IS NULL))
);

CREATE INDEX social_flows_by_expiry ON social_flows (expires_at);
CREATE INDEX social_flows_of_user ON social_flows (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX social_flows_of_session ON social_flows (session_id) WHERE session_id IS NOT NULL;

-- ID tokens that apps have shown, until they expire by themselves: each acts once.
CREATE TABLE social_tokens_used (
  token_hash text COLLATE "C" PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

CREATE INDEX social_tokens_used_by_expiry ON social_tokens_used (expires_at);
