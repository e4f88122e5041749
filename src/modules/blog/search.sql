-- The search terms of each post and translation. A table of its own, so that adding terms to existing posts does not
-- rewrite the posts.
CREATE TABLE IF NOT EXISTS post_search ();
ALTER TABLE post_search
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL DEFAULT '',
  -- True for the post itself, false for its translation into the language.
  ADD COLUMN IF NOT EXISTS original boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS words tsvector,
  ADD COLUMN IF NOT EXISTS title_words tsvector;
CREATE UNIQUE INDEX IF NOT EXISTS post_search_original ON post_search (post_id) WHERE original;
CREATE UNIQUE INDEX IF NOT EXISTS post_search_translation ON post_search (post_id, lang) WHERE NOT original;
CREATE INDEX IF NOT EXISTS post_search_words ON post_search USING gin (words);

-- Posts and translations with an id below this one may have no terms yet.
CREATE TABLE IF NOT EXISTS post_search_todo ();
ALTER TABLE post_search_todo
  ADD COLUMN IF NOT EXISTS kind text NOT NULL DEFAULT 'post',
  ADD COLUMN IF NOT EXISTS below uuid NOT NULL DEFAULT 'ffffffff-ffff-ffff-ffff-ffffffffffff';
CREATE UNIQUE INDEX IF NOT EXISTS post_search_todo_kind ON post_search_todo (kind);

-- Lower-case letters without accents, and digits, with one space between words. This requires no extension. Without
-- other characters, PostgreSQL's parser does not take quadratic time, as it does for text such as _a_a_a.
CREATE OR REPLACE FUNCTION post_words(given text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(
    replace(replace(replace(replace(
      translate(
        normalize(lower(regexp_replace(normalize(given, NFKD), U&'[\0300-\036f]+', '', 'g')), NFC),
        U&'\00f8\0142\0111\00f0\0131', 'oldi'),
      U&'\00df', 'ss'), U&'\00e6', 'ae'), U&'\0153', 'oe'), U&'\00fe', 'th'),
    U&'[\0001-\002f\003a-\0060\007b-\00bf\00d7\00f7\02b0-\02ff\2000-\2bff\2e00-\2e7f\3000-\3004\3008-\3020\fe10-\fe6f\ff00-\ff0f\ff1a-\ff20\ff3b-\ff40\ff5b-\ff65]+',
    ' ', 'g')
$$;

-- The configuration that stems words of the language, or `simple` if PostgreSQL has none.
CREATE OR REPLACE FUNCTION post_dictionary(lang text) RETURNS regconfig LANGUAGE sql STABLE AS $$
  SELECT coalesce((
    SELECT c.oid::regconfig FROM pg_ts_config c
    WHERE c.cfgnamespace = 'pg_catalog'::regnamespace AND c.cfgname = CASE split_part(lower(lang), '-', 1)
      WHEN 'ar' THEN 'arabic' WHEN 'hy' THEN 'armenian' WHEN 'eu' THEN 'basque' WHEN 'ca' THEN 'catalan'
      WHEN 'da' THEN 'danish' WHEN 'nl' THEN 'dutch' WHEN 'en' THEN 'english' WHEN 'et' THEN 'estonian'
      WHEN 'fi' THEN 'finnish' WHEN 'fr' THEN 'french' WHEN 'de' THEN 'german' WHEN 'el' THEN 'greek'
      WHEN 'hi' THEN 'hindi' WHEN 'hu' THEN 'hungarian' WHEN 'id' THEN 'indonesian' WHEN 'ga' THEN 'irish'
      WHEN 'it' THEN 'italian' WHEN 'lt' THEN 'lithuanian' WHEN 'ne' THEN 'nepali' WHEN 'nb' THEN 'norwegian'
      WHEN 'nn' THEN 'norwegian' WHEN 'no' THEN 'norwegian' WHEN 'pl' THEN 'polish' WHEN 'pt' THEN 'portuguese'
      WHEN 'ro' THEN 'romanian' WHEN 'ru' THEN 'russian' WHEN 'sr' THEN 'serbian' WHEN 'es' THEN 'spanish'
      WHEN 'sv' THEN 'swedish' WHEN 'ta' THEN 'tamil' WHEN 'tr' THEN 'turkish' WHEN 'yi' THEN 'yiddish' END
  ), 'pg_catalog.simple'::regconfig)
$$;

-- The words, which can be found by their first letters, and their stems. Positions are removed, because no query needs
-- them.
CREATE OR REPLACE FUNCTION post_vector(lang text, words text) RETURNS tsvector LANGUAGE sql STABLE AS $$
  SELECT strip(to_tsvector('pg_catalog.simple', words)) || strip(to_tsvector(post_dictionary(lang), words))
$$;

-- Long texts are truncated, because the size of a tsvector is limited.
CREATE OR REPLACE FUNCTION put_post_search(
  of_post uuid, is_original boolean, in_lang text, title text, excerpt text, body text, format text
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  in_title text := post_words(title);
  shown text := left(body, 200000);
  all_words text;
  vector tsvector;
BEGIN
  IF format IN ('html', 'markdown') THEN
    shown := regexp_replace(regexp_replace(shown, '<[a-zA-Z/!][^<>]*>', ' ', 'g'), '&#?[a-zA-Z0-9]{1,8};', ' ', 'g');
  END IF;
  all_words := concat_ws(' ', in_title, post_words(excerpt), post_words(shown));
  BEGIN
    vector := post_vector(in_lang, all_words);
  EXCEPTION WHEN program_limit_exceeded THEN
    vector := post_vector(in_lang, left(all_words, 50000));
  END;
  IF is_original THEN
    INSERT INTO post_search AS s (post_id, lang, original, words, title_words)
      VALUES (of_post, in_lang, true, vector, post_vector(in_lang, in_title))
      ON CONFLICT (post_id) WHERE original DO UPDATE
      SET lang = EXCLUDED.lang, words = EXCLUDED.words, title_words = EXCLUDED.title_words;
  ELSE
    INSERT INTO post_search AS s (post_id, lang, original, words, title_words)
      VALUES (of_post, in_lang, false, vector, post_vector(in_lang, in_title))
      ON CONFLICT (post_id, lang) WHERE NOT original DO UPDATE
      SET words = EXCLUDED.words, title_words = EXCLUDED.title_words;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION keep_post_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.lang, OLD.title, OLD.excerpt, OLD.body, OLD.body_format)
      IS NOT DISTINCT FROM (NEW.lang, NEW.title, NEW.excerpt, NEW.body, NEW.body_format) THEN RETURN NULL; END IF;
  END IF;
  PERFORM put_post_search(NEW.id, true, NEW.lang, NEW.title, NEW.excerpt, NEW.body, NEW.body_format);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_searchable AFTER INSERT OR UPDATE ON posts
  FOR EACH ROW EXECUTE FUNCTION keep_post_search();

-- Adds the terms of posts that have none, newest first. Returns the number of posts that it has checked.
CREATE OR REPLACE FUNCTION fill_post_search(how_many integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  start uuid;
  ids uuid[];
  post record;
BEGIN
  SELECT below INTO start FROM post_search_todo WHERE kind = 'post' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  ids := ARRAY(SELECT id FROM posts WHERE id < start ORDER BY id DESC LIMIT how_many);
  -- Locked in the order of their ids, as everywhere.
  FOR post IN SELECT p.id, p.lang, p.title, p.excerpt, p.body, p.body_format FROM posts p
    WHERE p.id = ANY (ids) AND NOT EXISTS (SELECT FROM post_search s
      WHERE s.post_id = p.id AND s.original AND s.words IS NOT NULL AND s.title_words IS NOT NULL)
    ORDER BY p.id FOR NO KEY UPDATE OF p
  LOOP
    PERFORM put_post_search(post.id, true, post.lang, post.title, post.excerpt, post.body, post.body_format);
  END LOOP;
  IF cardinality(ids) < how_many THEN DELETE FROM post_search_todo WHERE kind = 'post';
  ELSE UPDATE post_search_todo SET below = ids[how_many] WHERE kind = 'post';
  END IF;
  RETURN cardinality(ids);
END $$;

-- The query for a text in one language, or in all languages. Each word must occur in one of its forms. The last word may
-- also be the beginning of a word, unless it is a single letter, which would match most posts.
CREATE OR REPLACE FUNCTION post_query(given text, lang text) RETURNS tsquery LANGUAGE plpgsql STABLE AS $$
DECLARE
  folded text := trim(post_words(given));
  parts text[] := regexp_split_to_array(folded, ' +');
  word text;
  place integer := 0;
  forms tsquery;
  result tsquery;
BEGIN
  FOREACH word IN ARRAY parts LOOP
    place := place + 1;
    forms := plainto_tsquery('pg_catalog.simple', word);
    CONTINUE WHEN numnode(forms) = 0;
    IF place = cardinality(parts) AND length(word) > 1 AND numnode(forms) = 1 AND post_words(right(given, 1)) <> ' ' THEN
      forms := (forms::text || ':*')::tsquery;
    END IF;
    SELECT coalesce(forms || (string_agg(DISTINCT form, ' | '))::tsquery, forms) INTO forms FROM (
      SELECT '(' || plainto_tsquery(dictionary, word)::text || ')' AS form FROM (
        SELECT post_dictionary(lang) AS dictionary WHERE lang IS NOT NULL
        UNION SELECT c.oid::regconfig FROM pg_ts_config c
          WHERE lang IS NULL AND c.cfgnamespace = 'pg_catalog'::regnamespace
      ) AS dictionaries
    ) AS stems WHERE form <> '()';
    result := CASE WHEN result IS NULL THEN forms ELSE result && forms END;
  END LOOP;
  RETURN coalesce(result, ''::tsquery);
END $$;

INSERT INTO post_search_todo (kind) SELECT 'post' WHERE EXISTS (SELECT FROM posts)
  ON CONFLICT (kind) DO UPDATE SET below = EXCLUDED.below;
DO $$ BEGIN
  IF to_regclass('post_translations') IS NOT NULL THEN
    INSERT INTO post_search_todo (kind) VALUES ('translation') ON CONFLICT (kind) DO UPDATE SET below = EXCLUDED.below;
  END IF;
END $$;
