ALTER TABLE post_types
  ADD COLUMN IF NOT EXISTS allowed_create_types text[],
  ADD COLUMN IF NOT EXISTS allowed_read_types text[];

-- Copies of the values in `behaviors`, which may have been set before this installation.
UPDATE post_types SET
  allowed_create_types = nullif(array_remove(
    string_to_array(regexp_replace(behaviors ->> 'allowed_create_types', '\s', '', 'g'), ','), ''), '{}'),
  allowed_read_types = nullif(array_remove(
    string_to_array(regexp_replace(behaviors ->> 'allowed_read_types', '\s', '', 'g'), ','), ''), '{}')
  WHERE behaviors ?| ARRAY['allowed_create_types', 'allowed_read_types'];
