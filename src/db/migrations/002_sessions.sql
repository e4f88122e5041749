-- Columns of a fixed width come first, which saves the padding before them, about 3 % of a row.
CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- The absolute lifetime starts at the sign-in, or when a partial session is promoted.
  started_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  -- The time of the last authentication.
  proved_at timestamptz NOT NULL,
  -- The time of the last reauthentication with a passkey.
  passkey_proved_at timestamptz,
  ended_at timestamptz,
  -- For impersonated sessions: the time at which the session ends, regardless of use.
  ends_at timestamptz,
  -- A partial session ends after a few wrong codes, counted across all methods.
  wrong_codes integer NOT NULL DEFAULT 0,
  two_factor_verified boolean NOT NULL DEFAULT false,
  -- A partial session whose token was part of a URL gets a new token when it is promoted.
  seen_in_url boolean NOT NULL DEFAULT false,
  -- SHA-256. The token itself is not stored.
  token_hash bytea NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'revoked', 'expired')),
  -- How the user authenticated. It determines which second factors a partial session still needs.
  proof text NOT NULL DEFAULT 'password',
  -- password, passkey, email, sms or the name of a provider. NULL if the sign-in counts as none of them.
  sign_in_method text COLLATE "C",
  ip_address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  user_device text NOT NULL DEFAULT '',
  device_id text,
  end_reason text,
  -- For application sessions: the browser session. When it ends, so does this session.
  parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  -- For application sessions: the origin or app scheme.
  application text,
  -- For sessions of stored applications: the application, and its epoch at the creation of the session. There is no
  -- foreign key, because the rows of erased applications' sessions stay for a while.
  application_id uuid,
  application_epoch bigint,
  -- For impersonated sessions: the superadmin, and the superadmin's session. When it ends, so does this session.
  impersonated_by uuid,
  impersonator_session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  CONSTRAINT sessions_impersonation CHECK (
    (impersonated_by IS NULL) = (impersonator_session_id IS NULL) AND (impersonated_by IS NULL) = (ends_at IS NULL))
);

CREATE UNIQUE INDEX sessions_token_hash_key ON sessions (token_hash);
CREATE INDEX sessions_live_of_user ON sessions (user_id, created_at) WHERE status IN ('pending', 'active');
-- Includes ended sessions, for their list and for the deletion of a user.
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX sessions_by_last_use ON sessions (last_used_at);
-- For the cleanup job, which removes the sessions that ended first.
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX sessions_of_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_live_of_application ON sessions (application_id, application_epoch)
  WHERE application_id IS NOT NULL AND status IN ('pending', 'active');
CREATE INDEX sessions_live_of_declared_application ON sessions (application)
  WHERE application IS NOT NULL AND application_id IS NULL AND status IN ('pending', 'active');
CREATE INDEX sessions_of_impersonator ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;
CREATE INDEX sessions_of_impersonator_session ON sessions (impersonator_session_id)
  WHERE impersonator_session_id IS NOT NULL;

-- Every increase of a session epoch, for ten minutes. Nodes read the table several times a second, so that they reject
-- ended sessions even if a message between nodes is lost.
CREATE TABLE session_revocations (
  -- Transactions commit in any order, so readers compare these ids with the snapshot of their previous read, not with
  -- the highest id that they have read.
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  user_id uuid NOT NULL,
  epoch bigint NOT NULL,
  revoked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX session_revocations_transaction ON session_revocations (transaction_id);
-- The rows have no key. A subscriber of logical replication identifies them by all their columns.
ALTER TABLE session_revocations REPLICA IDENTITY FULL;

-- These rules are triggers, so that they also apply to statements that are run by hand.
CREATE FUNCTION record_session_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES (NEW.id, NEW.session_epoch);
  RETURN NULL;
END $$;

CREATE TRIGGER users_sessions_revoked AFTER UPDATE OF session_epoch ON users FOR EACH ROW
  WHEN (OLD.session_epoch IS DISTINCT FROM NEW.session_epoch)
  EXECUTE FUNCTION record_session_revocation();

CREATE FUNCTION end_application_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sessions SET status = 'revoked', ended_at = coalesce(NEW.ended_at, now()), end_reason = 'parent_ended'
    WHERE parent_id = NEW.id AND status IN ('pending', 'active');
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_of_applications_end AFTER UPDATE OF status ON sessions FOR EACH ROW
  WHEN (NEW.parent_id IS NULL AND OLD.status IN ('pending', 'active') AND NEW.status NOT IN ('pending', 'active'))
  EXECUTE FUNCTION end_application_sessions();

CREATE FUNCTION end_impersonations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE sessions SET status = 'revoked', ended_at = coalesce(NEW.ended_at, now()), end_reason = 'impersonator_ended'
      WHERE impersonator_session_id = NEW.id AND status IN ('pending', 'active') RETURNING user_id)
  UPDATE users SET session_epoch = session_epoch + 1 WHERE id IN (SELECT user_id FROM ended);
  RETURN NULL;
END $$;

CREATE TRIGGER sessions_impersonations_end AFTER UPDATE OF status ON sessions FOR EACH ROW
  WHEN (NEW.parent_id IS NULL AND OLD.status IN ('pending', 'active') AND NEW.status NOT IN ('pending', 'active'))
  EXECUTE FUNCTION end_impersonations();

CREATE FUNCTION end_impersonations_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE sessions SET status = 'revoked', ended_at = now(), end_reason = 'impersonator_ended'
      WHERE impersonated_by = NEW.id AND status IN ('pending', 'active') RETURNING user_id)
  UPDATE users SET session_epoch = session_epoch + 1 WHERE id IN (SELECT user_id FROM ended);
  RETURN NULL;
END $$;

CREATE TRIGGER users_impersonations_end AFTER UPDATE OF user_type, deleted_at ON users FOR EACH ROW
  WHEN (OLD.user_type IS DISTINCT FROM NEW.user_type OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION end_impersonations_of_user();

-- Codes that hand a sign-in over to an application. They have their own table, because a code is bound to a session, a
-- return address and a PKCE challenge, and its row contains the session that was created from it.
CREATE TABLE handover_codes (
  id uuid PRIMARY KEY,
  -- SHA-256. The code itself is not stored.
  code_hash bytea NOT NULL,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  return_to text COLLATE "C" NOT NULL,
  -- If the return address is of a stored application: the application, and its epoch when the code was issued.
  application_id uuid,
  application_epoch bigint,
  code_challenge text COLLATE "C" NOT NULL,
  -- The user's browser, because a back end redeems the code over its own connection.
  ip_address text NOT NULL,
  user_agent text NOT NULL,
  user_device text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  child_session_id uuid
);

CREATE UNIQUE INDEX handover_codes_hash_key ON handover_codes (code_hash);
CREATE INDEX handover_codes_of_session ON handover_codes (session_id);
CREATE INDEX handover_codes_by_expiry ON handover_codes (expires_at);
