CREATE TABLE IF NOT EXISTS module_hub_registry (
  id uuid PRIMARY KEY,
  module_id text NOT NULL,
  component_id text NOT NULL,
  component_type text NOT NULL CHECK (component_type IN ('core', 'extension')),
  runtime_scope text NOT NULL,
  version text NOT NULL,
  checksum text NOT NULL,
  status text NOT NULL CHECK (status IN ('installed', 'repaired')),
  run_id text NOT NULL,
  -- The id of a user. Not a foreign key, because the row outlives the user.
  installed_by text,
  installed_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS module_hub_registry_once
  ON module_hub_registry (module_id, component_id, runtime_scope);

CREATE TABLE IF NOT EXISTS module_hub_events (
  id uuid PRIMARY KEY,
  run_id text NOT NULL,
  module_id text NOT NULL,
  component_id text,
  runtime_scope text NOT NULL,
  event_type text NOT NULL,
  actor_user_id text,
  detail jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS module_hub_events_of_run ON module_hub_events (run_id);
CREATE INDEX IF NOT EXISTS module_hub_events_of_module ON module_hub_events (module_id, created_at);

CREATE OR REPLACE FUNCTION refuse_module_hub_event_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'module_hub_events is append-only';
END $$;
CREATE OR REPLACE TRIGGER module_hub_events_kept BEFORE UPDATE OR DELETE OR TRUNCATE ON module_hub_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_module_hub_event_change();

CREATE TABLE IF NOT EXISTS module_hub_locks (
  lock_key text PRIMARY KEY,
  run_id text NOT NULL,
  holder text NOT NULL,
  acquired_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
