-- Events are added, and deleted at the end of their retention period. The trigger below rejects other changes.
CREATE TABLE audit_events (
  id uuid PRIMARY KEY,
  time timestamptz NOT NULL,
  event text NOT NULL,
  outcome text NOT NULL CHECK (outcome IN ('success', 'failure')),
  actor_id uuid,
  actor_role text,
  target_id uuid,
  method text,
  ip text,
  user_agent text,
  request_id text,
  node text NOT NULL,
  details jsonb NOT NULL DEFAULT '{}',
  -- The number of the seal that covers the event. Null during the first minutes.
  seal bigint,
  -- The superadmin who caused the event while acting as the user in `actor_id`.
  impersonator_id uuid
);

CREATE INDEX audit_events_by_time ON audit_events (time);
CREATE INDEX audit_events_of_target ON audit_events (target_id, time);
CREATE INDEX audit_events_of_actor ON audit_events (actor_id, time);
CREATE INDEX audit_events_of_impersonator ON audit_events (impersonator_id, time) WHERE impersonator_id IS NOT NULL;
CREATE INDEX audit_events_by_event ON audit_events (event, time);
-- Rejections of applications.
CREATE INDEX audit_events_of_application ON audit_events ((details ->> 'application_id'), time)
  WHERE event IN ('return_rejected', 'handover_rejected');
-- Events whose IP address has not been shortened.
CREATE INDEX audit_events_whole_address ON audit_events (time) WHERE ip IS NOT NULL AND ip NOT LIKE '%/%';
CREATE INDEX audit_events_unsealed ON audit_events (time) WHERE seal IS NULL;
CREATE INDEX audit_events_of_seal ON audit_events (seal) WHERE seal IS NOT NULL;

-- The network of an IP address, which is kept when the address is shortened. Null if the text is not an IP address.
CREATE FUNCTION audit_network(ip text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
  WHEN ip LIKE '%/%' THEN ip
  WHEN ip ~ '^[0-9.]+$' THEN network(set_masklen(ip::inet, 24))::text
  WHEN ip ~ '^[0-9a-f:]+$' THEN network(set_masklen(ip::inet, 48))::text
END;

-- The service's role cannot rewrite events. It can only set an event's seal and shorten its IP address.
CREATE FUNCTION audit_events_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(NEW) - 'seal' - 'ip' <> to_jsonb(OLD) - 'seal' - 'ip'
    OR (OLD.seal IS NOT NULL AND NEW.seal IS DISTINCT FROM OLD.seal)
    OR (NEW.ip IS DISTINCT FROM OLD.ip AND NEW.ip IS DISTINCT FROM audit_network(OLD.ip)) THEN
    RAISE EXCEPTION 'audit events are not changed';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_events_stay BEFORE UPDATE ON audit_events FOR EACH ROW EXECUTE FUNCTION audit_events_stay();

-- Events are sealed in batches. Each seal covers the previous one, so changed, added or removed events are detected.
-- The key of `mac` is not in the database.
CREATE TABLE audit_seals (
  number bigint PRIMARY KEY,
  events integer NOT NULL,
  -- The time of the oldest event. After that event is deleted, only the chain of seals can be verified.
  first_time timestamptz NOT NULL,
  digest text NOT NULL,
  key_id text NOT NULL,
  mac text NOT NULL,
  sealed_at timestamptz NOT NULL
);

-- The newest seal that was deleted after its retention period. The chain starts after it. Without this row, the loss of
-- the beginning of the chain would not be detected.
CREATE TABLE audit_seals_removed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL,
  -- The next seal covers this value.
  last_mac text NOT NULL,
  key_id text NOT NULL,
  mac text NOT NULL
);

-- Covers everything about the events of a seal that does not change later.
CREATE FUNCTION audit_digest(wanted bigint) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT encode(sha256(convert_to(coalesce(string_agg(
    jsonb_build_array(id, (extract(epoch FROM time) * 1000000)::bigint, event, outcome, actor_id, actor_role,
      impersonator_id, target_id, method, audit_network(ip), user_agent, request_id, node, details)::text,
    E'\n' ORDER BY id), ''), 'UTF8')), 'hex')
  FROM audit_events WHERE seal = wanted);
