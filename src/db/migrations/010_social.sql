-- Identities of users at identity providers. An identity is the provider, the issuer and the subject, never an email
-- address. The email address, the name and the picture are only displayed.
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
-- One identity per provider, because a second one with the user's email address would belong to another person.
CREATE UNIQUE INDEX social_accounts_of_user ON social_accounts (user_id, provider);

-- Sign-ins at a provider that have started. The columns contain the values that the callback request must not be able
-- to change. The first callback deletes the row.
CREATE TABLE social_flows (
  state_hash bytea PRIMARY KEY,
  -- Hash of the value that the browser stores.
  flow_hash bytea NOT NULL,
  provider text COLLATE "C" NOT NULL,
  format text NOT NULL CHECK (format IN ('web', 'json')),
  -- If the user is linking an identity: the user, and the session of the request.
  user_id uuid REFERENCES users (id) ON DELETE CASCADE,
  session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at timestamptz NOT NULL,
  -- The id of the sign-in flow on the service's own pages. The browser stores the parameters of that flow.
  sign_in_flow text COLLATE "C",
  CHECK ((user_id IS NULL) = (session_id IS NULL))
);

CREATE INDEX social_flows_by_expiry ON social_flows (expires_at);
CREATE INDEX social_flows_of_user ON social_flows (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX social_flows_of_session ON social_flows (session_id) WHERE session_id IS NOT NULL;

-- ID tokens that apps have presented, until they expire. Each is accepted once.
CREATE TABLE social_tokens_used (
  token_hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL
);

CREATE INDEX social_tokens_used_by_expiry ON social_tokens_used (expires_at);
