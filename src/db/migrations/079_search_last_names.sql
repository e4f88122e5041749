-- Administrators also search for last names, full names and display names. PostgreSQL before version 17 cannot change the
-- expression of a column.
ALTER TABLE users DROP COLUMN search_text;
ALTER TABLE users ADD COLUMN search_text text COLLATE "C" NOT NULL
  GENERATED ALWAYS AS (email || E'\n' || lower(user_name) || E'\n' || lower(btrim(name || ' ' || last_name))
    || E'\n' || lower(coalesce(display_name, ''))) STORED;
CREATE INDEX users_search ON users USING gin (search_grams(search_text)) WITH (gin_pending_list_limit = 256)
  WHERE deleted_at IS NULL;
