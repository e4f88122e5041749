-- What users have granted to clients. Every secret is stored as its SHA-256.
-- Requests for authorization (RFC 6749, 4.1.1) during which the user must be asked something.
CREATE TABLE IF NOT EXISTS oauth_requests ();
ALTER TABLE oauth_requests
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  -- Of a cookie. Only the browser that began the request continues it.
  ADD COLUMN IF NOT EXISTS browser_hash bytea NOT NULL,
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  -- Those of the request that were checked.
  ADD COLUMN IF NOT EXISTS params jsonb NOT NULL,
  ADD COLUMN IF NOT EXISTS ip_address text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_requests_by_expiry ON oauth_requests (expires_at);
CREATE INDEX IF NOT EXISTS oauth_requests_of_browser ON oauth_requests (browser_hash, created_at);
CREATE INDEX IF NOT EXISTS oauth_requests_of_address ON oauth_requests (ip_address);
CREATE INDEX IF NOT EXISTS oauth_requests_of_client ON oauth_requests (client_id);

CREATE TABLE IF NOT EXISTS oauth_consents ();
ALTER TABLE oauth_consents
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS resources uuid[] NOT NULL DEFAULT '{}',
  -- The hosts and schemes to which the user was sent.
  ADD COLUMN IF NOT EXISTS targets text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS given_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_consents_key ON oauth_consents (user_id, client_id);
CREATE INDEX IF NOT EXISTS oauth_consents_of_client ON oauth_consents (client_id);
CREATE INDEX IF NOT EXISTS oauth_consents_by_expiry ON oauth_consents (expires_at);

CREATE TABLE IF NOT EXISTS oauth_grants ();
ALTER TABLE oauth_grants
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  -- A later epoch invalidates what nodes have cached about the tokens of the grant.
  ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  -- The epoch of the client when the grant was given.
  ADD COLUMN IF NOT EXISTS client_epoch bigint NOT NULL,
  -- The browser session in which it was given. Without a foreign key, because the rows of sessions are removed earlier.
  ADD COLUMN IF NOT EXISTS session_id uuid NOT NULL,
  -- Whether it outlasts the session.
  ADD COLUMN IF NOT EXISTS is_offline boolean NOT NULL DEFAULT false,
  -- Names the session to the client (OpenID Connect Back-Channel Logout, 2.1).
  ADD COLUMN IF NOT EXISTS sid text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS resource_id uuid REFERENCES oauth_resources ON DELETE CASCADE,
  -- The names of the claims that were asked for one by one (OpenID Connect Core, 5.5).
  ADD COLUMN IF NOT EXISTS claims jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS acr text COLLATE "C",
  ADD COLUMN IF NOT EXISTS amr text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS auth_time timestamptz NOT NULL,
  -- To what its tokens are bound (RFC 7800). Null: to nothing.
  ADD COLUMN IF NOT EXISTS cnf jsonb,
  ADD COLUMN IF NOT EXISTS ip_address text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS user_agent text NOT NULL DEFAULT '',
  -- Null until the code is redeemed.
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz,
  -- The earliest time at which the grant or its session can have expired.
  ADD COLUMN IF NOT EXISTS check_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS ended_at timestamptz,
  ADD COLUMN IF NOT EXISTS end_reason text COLLATE "C",
  -- When the session ended, after which the client is told.
  ADD COLUMN IF NOT EXISTS session_ended_at timestamptz;
CREATE INDEX IF NOT EXISTS oauth_grants_of_user ON oauth_grants (user_id, created_at);
CREATE INDEX IF NOT EXISTS oauth_grants_of_client ON oauth_grants (client_id, client_epoch) WHERE ended_at IS NULL;
CREATE INDEX IF NOT EXISTS oauth_grants_of_session ON oauth_grants (session_id) WHERE session_ended_at IS NULL;
CREATE INDEX IF NOT EXISTS oauth_grants_of_resource ON oauth_grants (resource_id) WHERE resource_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_grants_due ON oauth_grants (check_at)
  WHERE ended_at IS NULL OR session_ended_at IS NULL AND last_used_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_grants_ended ON oauth_grants (ended_at) WHERE ended_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS oauth_codes ();
ALTER TABLE oauth_codes
  ADD COLUMN IF NOT EXISTS code_hash bytea PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS grant_id uuid NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS redirect_uri text COLLATE "C" NOT NULL,
  -- S256 (RFC 7636, 4.2). Null if the client sent none.
  ADD COLUMN IF NOT EXISTS code_challenge text COLLATE "C",
  ADD COLUMN IF NOT EXISTS nonce text COLLATE "C",
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS used_at timestamptz;
CREATE INDEX IF NOT EXISTS oauth_codes_of_grant ON oauth_codes (grant_id);
CREATE INDEX IF NOT EXISTS oauth_codes_by_expiry ON oauth_codes (expires_at);

CREATE TABLE IF NOT EXISTS oauth_refresh_tokens ();
ALTER TABLE oauth_refresh_tokens
  ADD COLUMN IF NOT EXISTS token_hash bytea PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS grant_id uuid NOT NULL REFERENCES oauth_grants ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL,
  ADD COLUMN IF NOT EXISTS rotated_at timestamptz,
  -- With the token, it yields the successor, so that a repeated request gets the same one.
  ADD COLUMN IF NOT EXISTS successor_salt bytea;
CREATE INDEX IF NOT EXISTS oauth_refresh_tokens_of_grant ON oauth_refresh_tokens (grant_id);
CREATE INDEX IF NOT EXISTS oauth_refresh_tokens_by_expiry ON oauth_refresh_tokens (expires_at);

-- Null for the tokens of machines.
ALTER TABLE oauth_access_tokens
  ADD COLUMN IF NOT EXISTS grant_id uuid REFERENCES oauth_grants ON DELETE CASCADE;
CREATE INDEX IF NOT EXISTS oauth_access_tokens_of_grant ON oauth_access_tokens (grant_id) WHERE grant_id IS NOT NULL;

-- The sessions of whose end clients are told (OpenID Connect Back-Channel Logout, 2.5).
CREATE TABLE IF NOT EXISTS oauth_logouts ();
ALTER TABLE oauth_logouts
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  -- Without a foreign key, because clients are also told when a user is erased.
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL,
  ADD COLUMN IF NOT EXISTS sid text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS attempts integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS next_attempt_at timestamptz NOT NULL DEFAULT now(),
  -- Until then, a node is calling the client.
  ADD COLUMN IF NOT EXISTS claimed_until timestamptz,
  -- When the client was told, or the last attempt failed.
  ADD COLUMN IF NOT EXISTS done_at timestamptz;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_logouts_key ON oauth_logouts (client_id, sid);
CREATE INDEX IF NOT EXISTS oauth_logouts_due ON oauth_logouts (client_id, next_attempt_at) WHERE done_at IS NULL;
CREATE INDEX IF NOT EXISTS oauth_logouts_claimed ON oauth_logouts (client_id) WHERE claimed_until IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_logouts_waiting ON oauth_logouts (created_at) WHERE done_at IS NULL;
CREATE INDEX IF NOT EXISTS oauth_logouts_by_age ON oauth_logouts (created_at);

-- These rules are triggers, so that they also apply to statements that are run by hand.
CREATE OR REPLACE FUNCTION end_grants_of_session() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_grants SET ended_at = coalesce(NEW.ended_at, now()), end_reason = 'session_ended'
    WHERE session_id = OLD.id AND session_ended_at IS NULL AND ended_at IS NULL AND NOT is_offline;
  -- Also those that have ended, because the application may have a session of its own.
  UPDATE oauth_grants SET session_ended_at = coalesce(NEW.ended_at, now())
    WHERE session_id = OLD.id AND session_ended_at IS NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER sessions_oauth_grants_end AFTER UPDATE OF status ON sessions FOR EACH ROW
  WHEN (OLD.status = 'active' AND NEW.status <> 'active') EXECUTE FUNCTION end_grants_of_session();
CREATE OR REPLACE TRIGGER sessions_oauth_grants_erase AFTER DELETE ON sessions FOR EACH ROW
  WHEN (OLD.status = 'active') EXECUTE FUNCTION end_grants_of_session();

CREATE OR REPLACE FUNCTION end_grants_of_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'users' THEN
    UPDATE oauth_grants SET ended_at = now(), end_reason = 'user_changed' WHERE user_id = NEW.id AND ended_at IS NULL;
  ELSE
    UPDATE oauth_grants SET ended_at = now(), end_reason = 'blocked' WHERE user_id = NEW.user_id AND ended_at IS NULL;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_oauth_grants_end AFTER UPDATE OF user_type, email, deleted_at ON users FOR EACH ROW
  WHEN ((OLD.user_type, OLD.email, OLD.deleted_at) IS DISTINCT FROM (NEW.user_type, NEW.email, NEW.deleted_at))
  EXECUTE FUNCTION end_grants_of_user();
CREATE OR REPLACE TRIGGER user_blocks_oauth_grants_end AFTER INSERT OR UPDATE ON user_blocks FOR EACH ROW
  EXECUTE FUNCTION end_grants_of_user();

CREATE OR REPLACE FUNCTION change_oauth_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  -- A grant that has ended is not given again.
  IF OLD.ended_at IS NOT NULL THEN
    NEW.ended_at := OLD.ended_at;
    NEW.end_reason := OLD.end_reason;
  END IF;
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER oauth_grants_changed BEFORE UPDATE ON oauth_grants FOR EACH ROW
  WHEN ((OLD.ended_at, OLD.user_id, OLD.client_id, OLD.session_id, OLD.is_offline, OLD.scopes, OLD.resource_id,
      OLD.expires_at)
    IS DISTINCT FROM
    (NEW.ended_at, NEW.user_id, NEW.client_id, NEW.session_id, NEW.is_offline, NEW.scopes, NEW.resource_id,
      NEW.expires_at))
  EXECUTE FUNCTION change_oauth_grant();
CREATE OR REPLACE TRIGGER oauth_grants_revoked AFTER UPDATE ON oauth_grants FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION record_oauth_revocation();
CREATE OR REPLACE TRIGGER oauth_grants_erased AFTER DELETE ON oauth_grants FOR EACH ROW
  EXECUTE FUNCTION record_oauth_revocation();

-- Grants of one client and session have the same sid, so the client is told once. Without tokens, it does not know the sid.
CREATE OR REPLACE FUNCTION record_oauth_logout() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO oauth_logouts (created_at, client_id, user_id, sid, next_attempt_at)
    SELECT NEW.session_ended_at, c.id, NEW.user_id, NEW.sid, NEW.session_ended_at
    FROM oauth_clients c WHERE c.id = NEW.client_id AND c.backchannel_uri IS NOT NULL AND c.deleted_at IS NULL
    ON CONFLICT (client_id, sid) DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_grants_logout AFTER UPDATE OF session_ended_at ON oauth_grants FOR EACH ROW
  WHEN (OLD.session_ended_at IS NULL AND NEW.session_ended_at IS NOT NULL AND NEW.last_used_at IS NOT NULL)
  EXECUTE FUNCTION record_oauth_logout();

CREATE OR REPLACE FUNCTION erase_tokens_of_grant() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM oauth_refresh_tokens WHERE grant_id = NEW.id;
  DELETE FROM oauth_access_tokens WHERE grant_id = NEW.id;
  UPDATE oauth_codes SET used_at = NEW.ended_at WHERE grant_id = NEW.id AND used_at IS NULL;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_grants_tokens_erase AFTER UPDATE OF ended_at ON oauth_grants FOR EACH ROW
  WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL) EXECUTE FUNCTION erase_tokens_of_grant();

-- A code or a token that was used is not unused again.
CREATE OR REPLACE FUNCTION keep_oauth_secret_used() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RETURN OLD;
END $$;
CREATE OR REPLACE TRIGGER oauth_codes_kept_used BEFORE UPDATE ON oauth_codes FOR EACH ROW
  WHEN (OLD.used_at IS NOT NULL) EXECUTE FUNCTION keep_oauth_secret_used();
