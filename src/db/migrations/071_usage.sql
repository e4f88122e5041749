-- How often back ends used each bridge secret, and how often each rate limit refused a request, per hour (UTC). Nodes
-- collect the counts in memory and add them once a minute.
CREATE TABLE usage_counts (
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('bridge_secret', 'rate_limit')),
  name text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  count bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (kind, name, hour)
);

-- Live sessions by age and kind of device, counted together with `activity_state.live_sessions`.
CREATE TABLE session_figures (
  age text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (age, device)
);
