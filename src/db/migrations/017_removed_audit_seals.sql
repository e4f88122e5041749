-- Where the chain of seals begins: the newest seal that retention has removed. Without it nobody could tell a chain whose
-- beginning was cut off from one that has grown old.
CREATE TABLE audit_seals_removed (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  number bigint NOT NULL,
  -- The value that the next seal goes on from.
  last_mac text NOT NULL,
  key_id text NOT NULL,
  mac text NOT NULL
);
