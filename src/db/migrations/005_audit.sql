-- What happened, to whom, by whom. Rows are added and, after their retention, purged; nothing changes them but the
-- shortening of addresses.
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
  details jsonb NOT NULL DEFAULT '{}'
);

CREATE INDEX audit_events_by_time ON audit_events (time);
CREATE INDEX audit_events_of_target ON audit_events (target_id, time);
-- Addresses that are still whole: the ones that will be shortened.
CREATE INDEX audit_events_whole_address ON audit_events (time) WHERE ip IS NOT NULL AND ip NOT LIKE '%/%';
