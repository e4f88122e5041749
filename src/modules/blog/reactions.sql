CREATE TABLE IF NOT EXISTS post_reactions ();
ALTER TABLE post_reactions
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS reaction text NOT NULL,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_reactions_of_user ON post_reactions (post_id, user_id);
CREATE INDEX IF NOT EXISTS post_reactions_by_kind ON post_reactions (post_id, reaction);
-- For the export and the erasure of a user.
CREATE INDEX IF NOT EXISTS post_reactions_by_user ON post_reactions (user_id);
