-- Files of pictures, from before the first byte is written until after the last one is gone: so none can be forgotten.
CREATE TABLE pictures (
  name text COLLATE "C" PRIMARY KEY,
  user_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  -- Empty while it is the picture of its user.
  unused_since timestamptz
);

CREATE INDEX pictures_user ON pictures (user_id);
CREATE INDEX pictures_unused ON pictures (unused_since) WHERE unused_since IS NOT NULL;
