-- The viewers of a post on a day. After the key of the day has been deleted, the values cannot be linked to a person.
CREATE TABLE IF NOT EXISTS post_view_keys ();
ALTER TABLE post_view_keys
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS viewer_key text NOT NULL,
  ADD COLUMN IF NOT EXISTS day date NOT NULL;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_view_keys'::regclass AND contype = 'p') THEN
    ALTER TABLE post_view_keys ADD PRIMARY KEY (post_id, day, viewer_key);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_view_keys_by_day ON post_view_keys (day);

-- The key of each day, encrypted. All nodes use the same key. It is deleted after two days.
CREATE TABLE IF NOT EXISTS post_view_secrets ();
ALTER TABLE post_view_secrets
  ADD COLUMN IF NOT EXISTS day date PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS secret text NOT NULL;

CREATE TABLE IF NOT EXISTS post_view_days ();
ALTER TABLE post_view_days
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS day date NOT NULL,
  ADD COLUMN IF NOT EXISTS views integer NOT NULL DEFAULT 0;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_view_days'::regclass AND contype = 'p') THEN
    ALTER TABLE post_view_days ADD PRIMARY KEY (post_id, day);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_view_days_by_day ON post_view_days (day);

CREATE TABLE IF NOT EXISTS post_view_totals ();
ALTER TABLE post_view_totals
  ADD COLUMN IF NOT EXISTS post_id uuid PRIMARY KEY REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS views bigint NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS last_viewed_at timestamptz;
CREATE INDEX IF NOT EXISTS post_view_totals_most ON post_view_totals (views DESC, post_id DESC);

-- Every post has a row, so that a list ordered by views, including posts without views, reads a single index.
CREATE OR REPLACE FUNCTION start_post_views() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO post_view_totals (post_id) VALUES (NEW.id) ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_views_started AFTER INSERT ON posts
  FOR EACH ROW EXECUTE FUNCTION start_post_views();
INSERT INTO post_view_totals (post_id) SELECT id FROM posts ON CONFLICT DO NOTHING;
