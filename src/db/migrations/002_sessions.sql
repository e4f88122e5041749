CREATE TABLE sessions (
  id uuid PRIMARY KEY,
  -- SHA-256. The token itself is not stored.
  token_hash bytea NOT NULL,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  status text NOT NULL CHECK (status IN ('pending', 'active', 'revoked', 'expired')),
  two_factor_verified boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL,
  -- The absolute lifetime starts at the sign-in, or when a partial session is promoted.
  started_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  -- The last time at which the user authenticated.
  proved_at timestamptz NOT NULL,
  -- A partial session whose token was part of a URL gets a new token when it is promoted.
  seen_in_address boolean NOT NULL DEFAULT false,
  ip_address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  user_device text NOT NULL DEFAULT '',
  device_id text,
  ended_at timestamptz,
  end_reason text,
  -- How the user authenticated. It determines which second factors a partial session still needs.
  proof text NOT NULL DEFAULT 'password',
  -- A few wrong codes end a partial session, whichever method they were for.
  wrong_codes integer NOT NULL DEFAULT 0,
  -- Sessions of applications on other host names belong to the browser session that was handed over, and end with it.
  parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  -- Origin or app scheme of the application.
  application text,
  -- Sessions in which a superadmin acts as another user end with the session that started them.
  impersonated_by uuid,
  impersonator_session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  -- The end, regardless of use.
  ends_at timestamptz,
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
CREATE INDEX sessions_of_impersonator ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;
CREATE INDEX sessions_of_impersonator_session ON sessions (impersonator_session_id)
  WHERE impersonator_session_id IS NOT NULL;

-- Every increase of a session epoch, for ten minutes. Nodes read it several times a second, so a lost message between
-- nodes cannot keep an ended session alive.
CREATE TABLE session_revocations (
  -- Numbers are assigned before transactions commit, and they commit in any order: a reader compares them with the
  -- snapshot of its previous read, not with the highest number it has seen.
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
  WHEN (OLD.user_type = 'superadmin' AND (NEW.user_type <> 'superadmin' OR NEW.deleted_at IS NOT NULL))
  EXECUTE FUNCTION end_impersonations_of_user();

-- Codes that hand a sign-in over to an application. A table of its own: a code is bound to a session, a return address
-- and a PKCE challenge, and remembers the session that it created.
CREATE TABLE handover_codes (
  id uuid PRIMARY KEY,
  -- SHA-256. The code itself is not stored.
  code_hash bytea NOT NULL,
  session_id uuid NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  return_to text COLLATE "C" NOT NULL,
  code_challenge text COLLATE "C" NOT NULL,
  -- Of the person's browser: the back end that redeems the code has a connection of its own.
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
