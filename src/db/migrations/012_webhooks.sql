-- Endpoints of back ends that receive events.
CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  url text COLLATE "C" NOT NULL,
  description text NOT NULL,
  -- Types of events, such as `user.created`, `user.*` or `*`.
  events text[] NOT NULL,
  is_enabled boolean NOT NULL,
  -- The reason for which the service disabled the webhook: `gone`, `failing` or `restored`.
  disabled_reason text,
  -- Encrypted JSON, because headers may contain credentials.
  headers text NOT NULL,
  -- Encrypted. Events are also signed with the former secret, so that receivers can replace the secret without
  -- rejecting an event.
  secret text NOT NULL,
  former_secret text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- Failed attempts since the last success.
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  paused_until timestamptz
);

-- The deliveries of all events up to this position have been created.
CREATE TABLE webhook_cursor (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  position bigint NOT NULL
);
INSERT INTO webhook_cursor (position) VALUES (0);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  event_seq bigint NOT NULL REFERENCES events (seq) ON DELETE CASCADE,
  -- Copied from the event.
  position bigint NOT NULL,
  -- The user who was affected. Deliveries about the same user are made one after the other.
  target_id uuid,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  claimed_until timestamptz,
  done_at timestamptz
);

CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (webhook_id, position) WHERE status = 'waiting';
-- For earlier deliveries about the same user. Without the webhook, because the planner would otherwise use the index
-- above while statistics are out of date, and read all waiting deliveries for each row.
CREATE INDEX webhook_deliveries_of_target ON webhook_deliveries (target_id, position)
  WHERE status = 'waiting' AND target_id IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, position) WHERE status = 'failed';
-- Deliveries that were created together are listed in the order of their events.
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at DESC, position DESC, id DESC);
CREATE INDEX webhook_deliveries_of_event ON webhook_deliveries (event_seq);

CREATE TABLE webhook_attempts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- Null if there was no response.
  status integer,
  error text,
  -- The beginning of the response.
  response text
);

CREATE INDEX webhook_attempts_of_delivery ON webhook_attempts (delivery_id, id);
