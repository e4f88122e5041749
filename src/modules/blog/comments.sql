-- The table is created without columns, and each missing column is added, so that the same statements repair it.
CREATE TABLE IF NOT EXISTS post_comments ();
ALTER TABLE post_comments
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS parent_id uuid REFERENCES post_comments ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS depth integer NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS comment_body text NOT NULL,
  ADD COLUMN IF NOT EXISTS status text NOT NULL CHECK (status IN ('pending', 'approved', 'rejected', 'spam')),
  ADD COLUMN IF NOT EXISTS moderated_by text,
  ADD COLUMN IF NOT EXISTS moderated_at timestamptz,
  ADD COLUMN IF NOT EXISTS moderation_reason text,
  ADD COLUMN IF NOT EXISTS edited_at timestamptz,
  ADD COLUMN IF NOT EXISTS deleted_at timestamptz,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX IF NOT EXISTS post_comments_of_post ON post_comments (post_id, status, created_at);
CREATE INDEX IF NOT EXISTS post_comments_by_status ON post_comments (status, created_at);
CREATE INDEX IF NOT EXISTS post_comments_of_user ON post_comments (user_id);
CREATE INDEX IF NOT EXISTS post_comments_of_parent ON post_comments (parent_id);
