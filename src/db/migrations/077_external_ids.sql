-- The id of an imported user in the previous system.
ALTER TABLE users ADD COLUMN external_id text COLLATE "C";
CREATE UNIQUE INDEX users_external_id_key ON users (external_id) WHERE external_id IS NOT NULL;
