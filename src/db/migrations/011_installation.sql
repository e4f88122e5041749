-- Permanent facts about the installation, such as its id, and the fact that it has had an administrator.
CREATE TABLE installation_facts (
  fact text PRIMARY KEY,
  since timestamptz NOT NULL,
  value text
);

-- Values of settings that can be changed while the service runs. Without a value, the row only keeps the version, which
-- increases with every change of any setting.
CREATE TABLE stored_settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C",
  version bigint NOT NULL,
  changed_by uuid REFERENCES users (id) ON DELETE SET NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX stored_settings_changed_by ON stored_settings (changed_by);

-- Counts of audit events per hour and day (UTC), so that the overview of the console reads few rows. A scheduled job
-- replaces the counts of recent hours as a whole, so that repeating it changes nothing.
CREATE TABLE activity_counts (
  unit text COLLATE "C" NOT NULL CHECK (unit IN ('hour', 'day')),
  start timestamptz NOT NULL,
  figure text COLLATE "C" NOT NULL,
  count integer NOT NULL,
  PRIMARY KEY (unit, start, figure)
);

CREATE TABLE activity_state (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  -- The counts of earlier hours are final.
  final_until timestamptz NOT NULL,
  counted_at timestamptz NOT NULL,
  -- Counts that would take too long during a request.
  measured_at timestamptz,
  live_sessions bigint,
  second_factor_users bigint
);

-- How often back ends used each bridge secret, and how often each rate limit refused a request, per hour (UTC). Nodes
-- collect the counts in memory and add them once a minute.
CREATE TABLE usage_counts (
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('bridge_secret', 'rate_limit', 'application')),
  name text COLLATE "C" NOT NULL,
  hour timestamptz NOT NULL,
  count bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (kind, name, hour)
);
-- For the applications with the most sign-ins of the last day.
CREATE INDEX usage_counts_of_applications ON usage_counts (hour) WHERE kind = 'application';

-- Live sessions by age and kind of device, counted together with `activity_state.live_sessions`.
CREATE TABLE session_figures (
  age text COLLATE "C" NOT NULL,
  device text COLLATE "C" NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (age, device)
);
