-- Requests by rate limit and client, if Redis does not count them. The keys contain keyed hashes of the clients.
CREATE TABLE rate_limits (
  key text COLLATE "C" PRIMARY KEY,
  count integer NOT NULL,
  resets_at timestamptz NOT NULL
);

CREATE INDEX rate_limits_by_reset ON rate_limits (resets_at);

-- Wrong passwords and codes by user or identifier. Counted in the database even if Redis is configured.
CREATE TABLE account_counters (
  key text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  window_ends_at timestamptz NOT NULL,
  in_a_row integer NOT NULL,
  locked_until timestamptz
);

CREATE INDEX account_counters_by_window ON account_counters (window_ends_at);
