CREATE TABLE IF NOT EXISTS post_preview_links ();
ALTER TABLE post_preview_links
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS token_hash bytea NOT NULL,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
CREATE UNIQUE INDEX IF NOT EXISTS post_preview_links_token ON post_preview_links (token_hash);
CREATE INDEX IF NOT EXISTS post_preview_links_of_post ON post_preview_links (post_id, expires_at);
CREATE INDEX IF NOT EXISTS post_preview_links_by_expiry ON post_preview_links (expires_at);
