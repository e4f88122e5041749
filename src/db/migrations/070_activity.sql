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
  -- Counts of rows that take too long during a request.
  measured_at timestamptz,
  live_sessions bigint,
  second_factor_users bigint
);
