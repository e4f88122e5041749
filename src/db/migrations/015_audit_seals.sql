-- What is kept of an address in the end: its network. What is no address is dropped.
CREATE FUNCTION audit_network(ip text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE
  WHEN ip LIKE '%/%' THEN ip
  WHEN ip ~ '^[0-9.]+$' THEN network(set_masklen(ip::inet, 24))::text
  WHEN ip ~ '^[0-9a-f:]+$' THEN network(set_masklen(ip::inet, 48))::text
END;

-- The seal that an event is under; none for a few minutes after it happened.
ALTER TABLE audit_events ADD COLUMN seal bigint;
CREATE INDEX audit_events_unsealed ON audit_events (time) WHERE seal IS NULL;
CREATE INDEX audit_events_of_seal ON audit_events (seal) WHERE seal IS NOT NULL;

-- Events are sealed in batches, and each seal covers the one before: nothing between two seals can be changed, added or
-- taken away without its being seen. The key of `mac` is not in the database.
CREATE TABLE audit_seals (
  number bigint PRIMARY KEY,
  events integer NOT NULL,
  -- Time of the oldest event: once that is purged, only the chain is left to check.
  first_time timestamptz NOT NULL,
  digest text NOT NULL,
  key_id text NOT NULL,
  mac text NOT NULL,
  sealed_at timestamptz NOT NULL
);

-- Everything about the events under a seal that does not change with time.
CREATE FUNCTION audit_digest(wanted bigint) RETURNS text LANGUAGE sql STABLE
RETURN (
  SELECT encode(sha256(convert_to(coalesce(string_agg(
    jsonb_build_array(id, (extract(epoch FROM time) * 1000000)::bigint, event, outcome, actor_id, actor_role, target_id,
      method, audit_network(ip), user_agent, request_id, node, details)::text, E'\n' ORDER BY id), ''), 'UTF8')), 'hex')
  FROM audit_events WHERE seal = wanted);

-- Whoever works on the database by way of the service cannot rewrite what happened: an event gets its seal, and loses the
-- end of its address.
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
