CREATE TABLE IF NOT EXISTS post_bookmarks ();
ALTER TABLE post_bookmarks
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS bookmarked_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_bookmarks_once ON post_bookmarks (user_id, post_id);
CREATE INDEX IF NOT EXISTS post_bookmarks_newest ON post_bookmarks (user_id, bookmarked_at DESC);
CREATE INDEX IF NOT EXISTS post_bookmarks_of_post ON post_bookmarks (post_id);
