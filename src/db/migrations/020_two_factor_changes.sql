-- When a second factor was last switched on or off: browsers that were remembered before are asked again.
ALTER TABLE users ADD COLUMN two_factor_changed_at timestamptz;
