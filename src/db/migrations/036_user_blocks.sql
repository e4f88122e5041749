-- Blocked users cannot sign in. A row whose `until` has passed no longer counts.
CREATE TABLE user_blocks (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  since timestamptz NOT NULL,
  until timestamptz CHECK (until > since),
  reason text COLLATE "C" NOT NULL
);
