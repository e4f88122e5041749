CREATE TABLE IF NOT EXISTS post_translations ();
ALTER TABLE post_translations
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS title text NOT NULL,
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS body text,
  -- The post's format when the translation was written. The format of the post may change.
  ADD COLUMN IF NOT EXISTS body_format text NOT NULL DEFAULT 'markdown'
    CHECK (body_format IN ('markdown', 'html', 'text', 'json')),
  ADD COLUMN IF NOT EXISTS body_html text,
  ADD COLUMN IF NOT EXISTS body_start text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS excerpt text,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_translations_once ON post_translations (post_id, lang);
CREATE UNIQUE INDEX IF NOT EXISTS post_translations_slug ON post_translations (lang, slug);
CREATE INDEX IF NOT EXISTS post_translations_by_slug ON post_translations (slug);
CREATE INDEX IF NOT EXISTS post_translations_of_user ON post_translations (user_id);

-- Posts and translations share the slugs of a language. No index can span two tables, so a lock per slug serializes the
-- checks of the other table. A new row with a taken slug is skipped, as with ON CONFLICT DO NOTHING, so that the
-- service can choose another slug. An update fails as with a unique index. The triggers name no columns, because
-- dropping such a column would drop the trigger.
CREATE OR REPLACE FUNCTION keep_post_slug_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.deleted_at IS NOT NULL THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.lang, NEW.slug) = (OLD.lang, OLD.slug) AND OLD.deleted_at IS NULL THEN
      RETURN NEW;
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('post slug ' || NEW.lang || ' ' || NEW.slug, 0));
  IF NOT EXISTS (SELECT FROM post_translations t WHERE t.lang = NEW.lang AND t.slug = NEW.slug) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the slug is taken' USING ERRCODE = 'unique_violation', CONSTRAINT = 'posts_slug';
END $$;
CREATE OR REPLACE TRIGGER posts_slug_apart BEFORE INSERT OR UPDATE ON posts
  FOR EACH ROW EXECUTE FUNCTION keep_post_slug_apart();

CREATE OR REPLACE FUNCTION keep_translation_slug_apart() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (NEW.lang, NEW.slug) = (OLD.lang, OLD.slug) THEN
      RETURN NEW;
    END IF;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtextextended('post slug ' || NEW.lang || ' ' || NEW.slug, 0));
  IF NOT EXISTS
      (SELECT FROM posts p WHERE p.lang = NEW.lang AND p.slug = NEW.slug AND p.deleted_at IS NULL) THEN
    RETURN NEW;
  END IF;
  IF TG_OP = 'INSERT' THEN
    RETURN NULL;
  END IF;
  RAISE EXCEPTION 'the slug is taken' USING ERRCODE = 'unique_violation', CONSTRAINT = 'post_translations_slug';
END $$;
CREATE OR REPLACE TRIGGER post_translations_slug_apart BEFORE INSERT OR UPDATE ON post_translations
  FOR EACH ROW EXECUTE FUNCTION keep_translation_slug_apart();

CREATE OR REPLACE FUNCTION keep_translation_search() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.post_id, OLD.lang, OLD.title, OLD.excerpt, OLD.body, OLD.body_format)
      IS NOT DISTINCT FROM (NEW.post_id, NEW.lang, NEW.title, NEW.excerpt, NEW.body, NEW.body_format)
    THEN RETURN NULL; END IF;
  END IF;
  IF TG_OP <> 'INSERT' THEN
    DELETE FROM post_search s WHERE s.post_id = OLD.post_id AND s.lang = OLD.lang AND NOT s.original;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    PERFORM put_post_search(NEW.post_id, false, NEW.lang, NEW.title, NEW.excerpt, NEW.body, NEW.body_format);
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER post_translations_searchable AFTER INSERT OR UPDATE OR DELETE ON post_translations
  FOR EACH ROW EXECUTE FUNCTION keep_translation_search();

-- See fill_post_search.
CREATE OR REPLACE FUNCTION fill_translation_search(how_many integer) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  start uuid;
  ids uuid[];
  translation record;
BEGIN
  SELECT below INTO start FROM post_search_todo WHERE kind = 'translation' FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN RETURN 0; END IF;
  ids := ARRAY(SELECT id FROM post_translations WHERE id < start ORDER BY id DESC LIMIT how_many);
  FOR translation IN SELECT t.post_id, t.lang, t.title, t.excerpt, t.body, t.body_format FROM post_translations t
    WHERE t.id = ANY (ids) AND NOT EXISTS (SELECT FROM post_search s WHERE s.post_id = t.post_id AND s.lang = t.lang
      AND NOT s.original AND s.words IS NOT NULL AND s.title_words IS NOT NULL)
    ORDER BY t.id FOR NO KEY UPDATE OF t
  LOOP
    PERFORM put_post_search(translation.post_id, false, translation.lang, translation.title, translation.excerpt,
      translation.body, translation.body_format);
  END LOOP;
  IF cardinality(ids) < how_many THEN DELETE FROM post_search_todo WHERE kind = 'translation';
  ELSE UPDATE post_search_todo SET below = ids[how_many] WHERE kind = 'translation';
  END IF;
  RETURN cardinality(ids);
END $$;
INSERT INTO post_search_todo (kind) SELECT 'translation' WHERE EXISTS (SELECT FROM post_translations)
  ON CONFLICT (kind) DO UPDATE SET below = EXCLUDED.below;
