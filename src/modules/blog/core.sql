-- Each column is added where it is absent, so that a repair can bring back any of them.
CREATE TABLE IF NOT EXISTS posts ();
ALTER TABLE posts
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN IF NOT EXISTS lang text NOT NULL,
  ADD COLUMN IF NOT EXISTS title text NOT NULL,
  ADD COLUMN IF NOT EXISTS slug text NOT NULL,
  ADD COLUMN IF NOT EXISTS body text,
  ADD COLUMN IF NOT EXISTS body_format text NOT NULL DEFAULT 'markdown' CHECK (body_format IN ('markdown', 'html', 'text', 'json')),
  -- Made of the body whenever that is written, so that nothing is rendered for a reader.
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
-- No more of a body than surely fits: what PostgreSQL keeps of a text for the search has a largest size.
ALTER TABLE posts ADD COLUMN IF NOT EXISTS search tsvector GENERATED ALWAYS AS (
  to_tsvector('simple', title || ' ' || coalesce(excerpt, '') || ' ' || coalesce(left(body, 200000), ''))
) STORED;
CREATE UNIQUE INDEX IF NOT EXISTS posts_slug ON posts (lang, slug) WHERE deleted_at IS NULL;
-- For whoever asks without a language.
CREATE INDEX IF NOT EXISTS posts_by_slug ON posts (slug) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_published ON posts (status, published_at DESC, id);
CREATE INDEX IF NOT EXISTS posts_of_user ON posts (user_id, status);
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (scheduled_at) WHERE status = 'scheduled';
CREATE INDEX IF NOT EXISTS posts_deleted ON posts (deleted_at) WHERE deleted_at IS NOT NULL;
-- For counting and walking through all that anybody may read, without reading the posts.
CREATE INDEX IF NOT EXISTS posts_open ON posts (id) INCLUDE (status, scheduled_at, published_at, updated_at)
  WHERE visibility = 'public' AND deleted_at IS NULL AND status IN ('published', 'scheduled');
CREATE INDEX IF NOT EXISTS posts_search ON posts USING gin (search);

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
  ADD COLUMN IF NOT EXISTS category_id uuid NOT NULL REFERENCES post_categories ON DELETE CASCADE;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_category_links'::regclass AND contype = 'p') THEN
    ALTER TABLE post_category_links ADD PRIMARY KEY (post_id, category_id);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_category_links_of_category ON post_category_links (category_id);

CREATE TABLE IF NOT EXISTS post_tag_links ();
ALTER TABLE post_tag_links
  ADD COLUMN IF NOT EXISTS post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS tag_id uuid NOT NULL REFERENCES post_tags ON DELETE CASCADE;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint WHERE conrelid = 'post_tag_links'::regclass AND contype = 'p') THEN
    ALTER TABLE post_tag_links ADD PRIMARY KEY (post_id, tag_id);
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS post_tag_links_of_tag ON post_tag_links (tag_id);

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
