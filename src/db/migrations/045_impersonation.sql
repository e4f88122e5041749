-- Sessions in which a superadmin acts as another user. They end with the session that started them.
ALTER TABLE sessions
  ADD COLUMN impersonated_by uuid,
  ADD COLUMN impersonator_session_id uuid REFERENCES sessions (id) ON DELETE CASCADE,
  -- The end, regardless of use.
  ADD COLUMN ends_at timestamptz,
  ADD CONSTRAINT sessions_impersonation CHECK (
    (impersonated_by IS NULL) = (impersonator_session_id IS NULL) AND (impersonated_by IS NULL) = (ends_at IS NULL));

CREATE INDEX sessions_of_impersonator ON sessions (impersonated_by) WHERE impersonated_by IS NOT NULL;
CREATE INDEX sessions_of_impersonator_session ON sessions (impersonator_session_id)
  WHERE impersonator_session_id IS NOT NULL;

CREATE FUNCTION end_impersonations() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE sessions SET status = 'revoked', ended_at = coalesce(NEW.ended_at, now()), end_reason = 'impersonator_ended'
      WHERE impersonator_session_id = NEW.id AND status IN ('pending', 'active') RETURNING user_id)
  UPDATE users SET session_epoch = session_epoch + 1 WHERE id IN (SELECT user_id FROM ended);
  RETURN NULL;
END $$;

-- Triggers, so that nodes of the previous version and statements run by hand end them too.
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

-- The superadmin who caused the event while acting as the user in `actor_id`.
ALTER TABLE audit_events ADD COLUMN impersonator_id uuid;
CREATE INDEX audit_events_of_impersonator ON audit_events (impersonator_id, time) WHERE impersonator_id IS NOT NULL;

-- Without an impersonator, the digest is the same as before, so that earlier seals remain valid.
CREATE OR REPLACE FUNCTION audit_digest(wanted bigint) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT encode(sha256(convert_to(coalesce(string_agg(
    (jsonb_build_array(id, (extract(epoch FROM time) * 1000000)::bigint, event, outcome, actor_id, actor_role, target_id,
      method, audit_network(ip), user_agent, request_id, node, details)
      || CASE WHEN impersonator_id IS NULL THEN '[]'::jsonb ELSE jsonb_build_array(impersonator_id) END)::text,
    E'\n' ORDER BY id), ''), 'UTF8')), 'hex')
  FROM audit_events WHERE seal = wanted);
