ALTER TABLE post_types
  ADD COLUMN IF NOT EXISTS allowed_create_types text[],
  ADD COLUMN IF NOT EXISTS allowed_read_types text[];

-- Equal to what the behaviors say, which may have been there before.
UPDATE post_types SET
  allowed_create_types = nullif(array_remove(
    string_to_array(regexp_replace(behaviors ->> 'allowed_create_types', '\s', '', 'g'), ','), ''), '{}'),
  allowed_read_types = nullif(array_remove(
    string_to_array(regexp_replace(behaviors ->> 'allowed_read_types', '\s', '', 'g'), ','), ''), '{}')
  WHERE behaviors ?| ARRAY['allowed_create_types', 'allowed_read_types'];
