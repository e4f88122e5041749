-- Sessions of applications on other host names. Each belongs to the session of the browser that it was handed over from,
-- and ends with it.
ALTER TABLE sessions
  ADD COLUMN parent_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  -- Origin or app scheme of the application.
  ADD COLUMN application text;

CREATE INDEX sessions_of_parent ON sessions (parent_id) WHERE parent_id IS NOT NULL;

CREATE FUNCTION end_application_sessions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE sessions SET status = 'revoked', ended_at = coalesce(NEW.ended_at, now()), end_reason = 'parent_ended'
    WHERE parent_id = NEW.id AND status IN ('pending', 'active');
  RETURN NULL;
END $$;

-- A trigger, so that nodes of the previous version and statements run by hand end them too.
CREATE TRIGGER sessions_of_applications_end AFTER UPDATE OF status ON sessions FOR EACH ROW
  WHEN (NEW.parent_id IS NULL AND OLD.status IN ('pending', 'active') AND NEW.status NOT IN ('pending', 'active'))
  EXECUTE FUNCTION end_application_sessions();

-- Codes that hand a sign-in over to an application. A table of its own: a code is bound to a session, a return address
-- and a PKCE challenge, and remembers the session that it created.
CREATE TABLE handover_codes (
  id uuid PRIMARY KEY,
  -- SHA-256 in hex: the code itself is not stored.
  code_hash text COLLATE "C" NOT NULL,
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
