-- A field of users. A constant default rewrites nothing.
ALTER TABLE users ADD COLUMN IF NOT EXISTS keeps_notes boolean NOT NULL DEFAULT false;

-- Tables begin without columns, so that a repair can bring back each of them.
CREATE TABLE IF NOT EXISTS user_notes ();
ALTER TABLE user_notes
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS note text NOT NULL,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();

CREATE INDEX IF NOT EXISTS user_notes_of_user ON user_notes (user_id, created_at);
