-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
CREATE TABLE IF NOT EXISTS posts ();
ALTER TABLE posts
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS title text NOT NULL,
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS body text,
  ADD COLUMN IF NOT EXISTS body_format text NOT NULL DEFAULT 'markdown' CHECK (body_format IN ('markdown', 'html', 'text', 'json')),
  -- Rendered when the body is written, so that nothing is rendered for readers.
  ADD COLUMN IF NOT EXISTS body_html text,
  ADD COLUMN IF NOT EXISTS body_start text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS excerpt text,
  ADD COLUMN IF NOT EXISTS featured_image text,
  ADD COLUMN IF NOT EXISTS featured_image_key text,
  ADD COLUMN IF NOT EXISTS status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'pending', 'scheduled', 'published')),
  ADD COLUMN IF NOT EXISTS visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'auth', 'private', 'password')),
  ADD COLUMN IF NOT EXISTS password_hash text,
  ADD COLUMN IF NOT EXISTS comments_enabled boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS reactions_enabled boolean NOT NULL DEFAULT true,
  ADD COLUMN IF NOT EXISTS scheduled_at timestamptz,
  ADD COLUMN IF NOT EXISTS published_at timestamptz,
  ADD COLUMN IF NOT EXISTS metadata jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS deleted_at timestamptz,
  ADD COLUMN IF NOT EXISTS deleted_by text,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
-- Part of the documented table, but unused: searches read `post_search` (search.sql).
ALTER TABLE posts ADD COLUMN IF NOT EXISTS search tsvector;
-- The time of publication. Null for drafts, pending posts and deleted posts.
ALTER TABLE posts ADD COLUMN IF NOT EXISTS live_from timestamptz GENERATED ALWAYS AS (
  CASE WHEN deleted_at IS NULL THEN CASE status WHEN 'published' THEN published_at WHEN 'scheduled' THEN scheduled_at END END
) STORED;
CREATE UNIQUE INDEX IF NOT EXISTS posts_slug ON posts (lang, slug) WHERE deleted_at IS NULL;
-- For requests without a language.
CREATE INDEX IF NOT EXISTS posts_by_slug ON posts (slug) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_published ON posts (status, published_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_of_user ON posts (user_id, status);
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (scheduled_at DESC, id) WHERE status = 'scheduled' AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_deleted ON posts (deleted_at) WHERE deleted_at IS NOT NULL;
-- Counts and lists all public posts without reading the table.
CREATE INDEX IF NOT EXISTS posts_open ON posts (id) INCLUDE (live_from, updated_at)
  WHERE visibility = 'public' AND live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_search ON posts USING gin (search);
-- The orders in which readers list posts. Only posts with a visibility that the reader may see are read.
CREATE INDEX IF NOT EXISTS posts_live ON posts (visibility, live_from DESC, id)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_live_by_creation ON posts (visibility, created_at DESC, id) INCLUDE (live_from)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_live_by_change ON posts (visibility, updated_at DESC, id) INCLUDE (live_from)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_live_by_title ON posts (visibility, title, id) INCLUDE (live_from)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_live_of_lang ON posts (lang, visibility, live_from DESC, id)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_live_of_user ON posts (user_id, visibility, live_from DESC, id)
  WHERE live_from IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE IF NOT EXISTS post_categories ();
ALTER TABLE post_categories
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS description text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS parent_id uuid REFERENCES post_categories ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS sort_order integer NOT NULL DEFAULT 0,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_categories_slug ON post_categories (lang, slug);
CREATE UNIQUE INDEX IF NOT EXISTS post_categories_name ON post_categories (lang, lower(name));
CREATE INDEX IF NOT EXISTS post_categories_of_parent ON post_categories (parent_id);

CREATE TABLE IF NOT EXISTS post_tags ();
ALTER TABLE post_tags
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
CREATE UNIQUE INDEX IF NOT EXISTS post_tags_slug ON post_tags (lang, slug);
CREATE UNIQUE INDEX IF NOT EXISTS post_tags_name ON post_tags (lang, lower(name));

CREATE TABLE IF NOT EXISTS post_category_links ();
ALTER TABLE post_category_links
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS category_id uuid NOT NULL REFERENCES post_categories ON DELETE CASCADE,
  -- Copies of the post's values, so that a list of a category does not read posts. Null if no list contains the post.
  ADD COLUMN IF NOT EXISTS visibility text,
  ADD COLUMN IF NOT EXISTS live_from timestamptz;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_category_links'::regclass AND contype = 'p') THEN
    ALTER TABLE post_category_links ADD PRIMARY KEY (post_id, category_id);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_category_links_of_category ON post_category_links (category_id);
CREATE INDEX IF NOT EXISTS post_category_links_live
  ON post_category_links (category_id, visibility, live_from DESC, post_id) WHERE live_from IS NOT NULL;

CREATE TABLE IF NOT EXISTS post_tag_links ();
ALTER TABLE post_tag_links
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS tag_id uuid NOT NULL REFERENCES post_tags ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS visibility text,
  ADD COLUMN IF NOT EXISTS live_from timestamptz;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_tag_links'::regclass AND contype = 'p') THEN
    ALTER TABLE post_tag_links ADD PRIMARY KEY (post_id, tag_id);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_tag_links_of_tag ON post_tag_links (tag_id);
CREATE INDEX IF NOT EXISTS post_tag_links_live
  ON post_tag_links (tag_id, visibility, live_from DESC, post_id) WHERE live_from IS NOT NULL;

CREATE OR REPLACE FUNCTION place_post_link() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT visibility, live_from INTO NEW.visibility, NEW.live_from FROM posts WHERE id = NEW.post_id;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER post_category_links_placed BEFORE INSERT ON post_category_links
  FOR EACH ROW EXECUTE FUNCTION place_post_link();
CREATE OR REPLACE TRIGGER post_tag_links_placed BEFORE INSERT ON post_tag_links
  FOR EACH ROW EXECUTE FUNCTION place_post_link();

CREATE OR REPLACE FUNCTION place_post_links() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (OLD.visibility, OLD.live_from) IS NOT DISTINCT FROM (NEW.visibility, NEW.live_from) THEN RETURN NULL; END IF;
  UPDATE post_category_links SET visibility = NEW.visibility, live_from = NEW.live_from WHERE post_id = NEW.id;
  UPDATE post_tag_links SET visibility = NEW.visibility, live_from = NEW.live_from WHERE post_id = NEW.id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER posts_links_placed AFTER UPDATE ON posts
  FOR EACH ROW EXECUTE FUNCTION place_post_links();

-- Former slugs of published posts. A link to one leads to the post until another post has the slug.
CREATE TABLE IF NOT EXISTS post_former_slugs ();
ALTER TABLE post_former_slugs
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_former_slugs'::regclass AND contype = 'p') THEN
    ALTER TABLE post_former_slugs ADD PRIMARY KEY (slug, lang);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_former_slugs_of_post ON post_former_slugs (post_id);

CREATE TABLE IF NOT EXISTS post_revisions ();
ALTER TABLE post_revisions
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS title text NOT NULL,
  ADD COLUMN IF NOT EXISTS body text,
  ADD COLUMN IF NOT EXISTS body_format text NOT NULL,
  ADD COLUMN IF NOT EXISTS excerpt text,
  ADD COLUMN IF NOT EXISTS fields jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX IF NOT EXISTS post_revisions_of_post ON post_revisions (post_id, created_at DESC);
CREATE INDEX IF NOT EXISTS post_revisions_of_user ON post_revisions (user_id) WHERE user_id IS NOT NULL;

-- The number of published posts in total, and of each day, author, category and tag, is the sum of the rows of its key.
-- Each change adds a row, so that no change waits for another. A cleanup job replaces the rows with their sum.
CREATE TABLE IF NOT EXISTS post_counts ();
ALTER TABLE post_counts
  -- `all`, `day`, `author`, `category` or `tag`. `key` names the day or contains the id.
  ADD COLUMN IF NOT EXISTS facet text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS key text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS lang text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS visibility text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS post_type text NOT NULL DEFAULT '',
  ADD COLUMN IF NOT EXISTS posts integer NOT NULL DEFAULT 0;
CREATE INDEX IF NOT EXISTS post_counts_of_key ON post_counts (facet, visibility, key);

-- The column belongs to another module, which may be installed later.
CREATE OR REPLACE FUNCTION post_type_of(post anyelement) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE found text;
BEGIN
  IF NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = 'posts'::regclass AND attname = 'post_type' AND NOT attisdropped) THEN RETURN 'post'; END IF;
  EXECUTE 'SELECT ($1).post_type' INTO found USING post;
  RETURN found;
END $$;

CREATE OR REPLACE FUNCTION count_post(post anyelement, change integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF post.status <> 'published' OR post.deleted_at IS NOT NULL THEN RETURN; END IF;
  INSERT INTO post_counts (facet, key, lang, visibility, post_type, posts)
    SELECT facet, key, post.lang, post.visibility, post_type_of(post), change FROM (
      SELECT 'all' AS facet, '' AS key
      UNION ALL SELECT 'day', to_char(post.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
      UNION ALL SELECT 'author', post.user_id::text
      UNION ALL SELECT 'category', category_id::text FROM post_category_links WHERE post_id = post.id
      UNION ALL SELECT 'tag', tag_id::text FROM post_tag_links WHERE post_id = post.id
    ) AS facets WHERE key IS NOT NULL;
END $$;

CREATE OR REPLACE FUNCTION count_post_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM count_post(OLD, -1);
    RETURN OLD;
  END IF;
  IF TG_OP = 'UPDATE' THEN
    IF (OLD.status, OLD.deleted_at IS NULL, OLD.lang, OLD.visibility, OLD.user_id, OLD.published_at, post_type_of(OLD))
      IS NOT DISTINCT FROM
      (NEW.status, NEW.deleted_at IS NULL, NEW.lang, NEW.visibility, NEW.user_id, NEW.published_at, post_type_of(NEW))
    THEN RETURN NEW; END IF;
    PERFORM count_post(OLD, -1);
  END IF;
  PERFORM count_post(NEW, 1);
  RETURN NEW;
END $$;

-- The argument is the facet, whose id is in the other column of the link.
CREATE OR REPLACE FUNCTION count_post_link() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE link jsonb := to_jsonb(CASE TG_OP WHEN 'DELETE' THEN OLD ELSE NEW END);
BEGIN
  INSERT INTO post_counts (facet, key, lang, visibility, post_type, posts)
    SELECT TG_ARGV[0], link ->> (TG_ARGV[0] || '_id'), post.lang, post.visibility, post_type_of(post),
      CASE TG_OP WHEN 'DELETE' THEN -1 ELSE 1 END
    FROM posts AS post
    WHERE post.id = (link ->> 'post_id')::uuid AND post.status = 'published' AND post.deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER posts_counted AFTER INSERT OR UPDATE ON posts
  FOR EACH ROW EXECUTE FUNCTION count_post_change();
-- Before the deletion, because it also deletes the post's links.
CREATE OR REPLACE TRIGGER posts_uncounted BEFORE DELETE ON posts
  FOR EACH ROW EXECUTE FUNCTION count_post_change();
CREATE OR REPLACE TRIGGER post_category_links_counted AFTER INSERT OR DELETE ON post_category_links
  FOR EACH ROW EXECUTE FUNCTION count_post_link('category');
CREATE OR REPLACE TRIGGER post_tag_links_counted AFTER INSERT OR DELETE ON post_tag_links
  FOR EACH ROW EXECUTE FUNCTION count_post_link('tag');

-- Corrects all counts and links: after a repair, there may be posts that were written without the triggers.
CREATE OR REPLACE FUNCTION recount_posts() RETURNS void LANGUAGE sql AS $$
  LOCK TABLE posts, post_category_links, post_tag_links, post_counts IN SHARE ROW EXCLUSIVE MODE;
  UPDATE post_category_links AS l SET visibility = p.visibility, live_from = p.live_from FROM posts AS p
    WHERE p.id = l.post_id AND (l.visibility, l.live_from) IS DISTINCT FROM (p.visibility, p.live_from);
  UPDATE post_tag_links AS l SET visibility = p.visibility, live_from = p.live_from FROM posts AS p
    WHERE p.id = l.post_id AND (l.visibility, l.live_from) IS DISTINCT FROM (p.visibility, p.live_from);
  DELETE FROM post_counts;
  INSERT INTO post_counts (facet, key, lang, visibility, post_type, posts)
    SELECT facet, key, post.lang, post.visibility, post_type_of(post), count(*)
    FROM posts AS post CROSS JOIN LATERAL (
      SELECT 'all' AS facet, '' AS key
      UNION ALL SELECT 'day', to_char(post.published_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')
      UNION ALL SELECT 'author', post.user_id::text
      UNION ALL SELECT 'category', category_id::text FROM post_category_links WHERE post_id = post.id
      UNION ALL SELECT 'tag', tag_id::text FROM post_tag_links WHERE post_id = post.id
    ) AS facets
    WHERE post.status = 'published' AND post.deleted_at IS NULL AND key IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5;
$$;
SELECT recount_posts();
