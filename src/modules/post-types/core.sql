-- First and in one statement, because the table is locked until the run ends. No row is rewritten.
ALTER TABLE posts
  ADD COLUMN IF NOT EXISTS post_type text NOT NULL DEFAULT 'post',
  ADD COLUMN IF NOT EXISTS custom_fields jsonb NOT NULL DEFAULT '{}';
CREATE INDEX IF NOT EXISTS posts_of_type ON posts (post_type, status, published_at DESC);

-- The table is created without columns, and each missing column is added, so that the same statements repair it.
CREATE TABLE IF NOT EXISTS post_types ();
ALTER TABLE post_types
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS type_key text NOT NULL,
  ADD COLUMN IF NOT EXISTS type_name text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS description text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS slug_prefix text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS field_schema jsonb NOT NULL DEFAULT '[]',
  ADD COLUMN IF NOT EXISTS behaviors jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS icon text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS color text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS is_active boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS is_built_in boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS sort_order integer NOT NULL DEFAULT 0,
  -- The version of all definitions together, in the row of `post`, which always exists. Every change increments it.
  ADD COLUMN IF NOT EXISTS version bigint NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_types_key ON post_types (type_key);
CREATE UNIQUE INDEX IF NOT EXISTS post_types_slug_prefix ON post_types (slug_prefix) WHERE slug_prefix <> '';
CREATE INDEX IF NOT EXISTS post_types_in_order ON post_types (sort_order);

-- The version starts with the current time, so that it is new even if the table was lost.
INSERT INTO post_types (id, type_key, type_name, is_active, is_built_in, sort_order, version) VALUES
  ('01890a5d-ac96-774b-bcce-b302099a8057', 'post', 'Post', true, true, 0, extract(epoch FROM clock_timestamp()) * 1000),
  ('01890a5d-ac96-7ab2-80e2-4536ba17ab2d', 'page', 'Page', false, true, 1, 0)
  ON CONFLICT (type_key) DO NOTHING;
-- If a column was lost, its rows can only have had these values.
UPDATE post_types SET type_name = type_key WHERE type_name = '';
UPDATE post_types SET is_built_in = true WHERE type_key IN ('post', 'page') AND NOT is_built_in;

-- NOT VALID, because the run would otherwise read the whole table while it is locked. Existing rows satisfy the
-- constraint, because they have the default.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'posts'::regclass AND conname = 'posts_type_known') THEN
    ALTER TABLE posts ADD CONSTRAINT posts_type_known
      FOREIGN KEY (post_type) REFERENCES post_types (type_key) NOT VALID;
  END IF;
END $$;
