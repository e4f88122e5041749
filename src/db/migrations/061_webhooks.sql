CREATE TABLE webhooks (
  id uuid PRIMARY KEY,
  url text COLLATE "C" NOT NULL,
  description text COLLATE "C" NOT NULL,
  -- Types of events, such as `user.created`, `user.*` or `*`.
  events text[] NOT NULL,
  is_enabled boolean NOT NULL,
  -- Why the service disabled the webhook: `gone` or `failing`.
  disabled_reason text,
  -- Sealed JSON.
  headers text,
  -- Sealed. The former secret also signs, so that a receiver can replace its secret without losing an event.
  secret text NOT NULL,
  former_secret text,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  paused_until timestamptz
);

CREATE TABLE webhook_deliveries (
  id uuid PRIMARY KEY,
  webhook_id uuid NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  position bigint NOT NULL,
  -- Deliveries of one user are made one after the other.
  user_id uuid,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  claimed_until timestamptz,
  done_at timestamptz
);

CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (webhook_id, position) WHERE status = 'pending';
CREATE INDEX webhook_deliveries_of_user ON webhook_deliveries (webhook_id, user_id, position)
  WHERE status = 'pending' AND user_id IS NOT NULL;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at DESC, id DESC);
CREATE INDEX webhook_deliveries_failed ON webhook_deliveries (webhook_id, position) WHERE status = 'failed';
CREATE INDEX webhook_deliveries_age ON webhook_deliveries (created_at);

CREATE TABLE webhook_attempts (
  delivery_id uuid NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
  attempt integer NOT NULL,
  started_at timestamptz NOT NULL,
  duration_ms integer NOT NULL,
  -- Null if no response arrived.
  status integer,
  error text,
  -- The first kilobyte.
  response text,
  PRIMARY KEY (delivery_id, attempt)
);
