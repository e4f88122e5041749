-- What the search of administrators looks through, folded to lower case. Kept as a column so that a match can be checked
-- without folding again; compared byte for byte.
ALTER TABLE users ADD COLUMN search_text text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (email || E'\n' || lower(user_name) || E'\n' || lower(name)) STORED;

-- Every run of one to three characters. An index of them serves any part of a word, needs no extension and no superuser,
-- and works on the embedded database as on a server.
CREATE FUNCTION search_grams(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN ARRAY(
  SELECT substr($1, start, size)
  FROM generate_series(1, 3) AS size, generate_series(1, length($1) - size + 1) AS start);

-- The runs that a text must hold to hold the wanted one: the wanted one itself when it is that short, else its threes.
CREATE FUNCTION wanted_grams(text) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN length($1) <= 3 THEN ARRAY[$1]
  ELSE ARRAY(SELECT substr($1, start, 3) FROM generate_series(1, length($1) - 2) AS start) END;

-- New rows wait in a list that is merged in one go. A short list: merging holds up the insert that fills it, and every
-- search reads it from end to end.
CREATE INDEX users_search ON users USING gin (search_grams(search_text)) WITH (gin_pending_list_limit = 256)
  WHERE deleted_at IS NULL;
CREATE INDEX users_by_creation ON users (created_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_type ON users (user_type, created_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_deleted ON users (deleted_at) WHERE deleted_at IS NOT NULL;

-- Lists of a user's sessions, ended ones too; and what goes with a user that is erased.
CREATE INDEX sessions_of_user ON sessions (user_id, created_at);
CREATE INDEX one_time_secrets_of_user ON one_time_secrets (user_id);

CREATE INDEX audit_events_of_actor ON audit_events (actor_id, time);
CREATE INDEX audit_events_by_event ON audit_events (event, time);
