-- Picture files. The row exists from before the file is created until after it is deleted, so that every file is
-- deleted in the end.
CREATE TABLE pictures (
  name text COLLATE "C" PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- Null while the picture is in use.
  unused_since timestamptz
);

CREATE INDEX pictures_user ON pictures (user_id);
CREATE INDEX pictures_unused ON pictures (unused_since) WHERE unused_since IS NOT NULL;
