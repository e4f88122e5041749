-- Requests by client address and rate limit, if Redis does not count them. The service hashes the keys.
CREATE TABLE rate_limits (
  key text COLLATE "C" PRIMARY KEY,
  count integer NOT NULL,
  resets_at timestamptz NOT NULL
);

CREATE INDEX rate_limits_by_reset ON rate_limits (resets_at);

-- Wrong passwords by account. Always counted in the database, even with Redis.
CREATE TABLE account_counters (
  key text COLLATE "C" PRIMARY KEY,
  failures integer NOT NULL,
  window_ends_at timestamptz NOT NULL,
  in_a_row integer NOT NULL,
  locked_until timestamptz
);

CREATE INDEX account_counters_by_window ON account_counters (window_ends_at);
