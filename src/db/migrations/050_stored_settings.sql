-- Values of settings that can be changed while the service runs. A value of NULL is no value: the row keeps the version,
-- which rises with every change of any setting.
CREATE TABLE stored_settings (
  name text COLLATE "C" PRIMARY KEY,
  value text COLLATE "C",
  version bigint NOT NULL,
  changed_by uuid REFERENCES users (id) ON DELETE SET NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX stored_settings_changed_by ON stored_settings (changed_by);
