CREATE TABLE IF NOT EXISTS posts (
  id uuid PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE SET NULL,
  lang text NOT NULL,
  title text NOT NULL,
  slug text NOT NULL,
  body text,
  body_format text NOT NULL DEFAULT 'markdown' CHECK (body_format IN ('markdown', 'html', 'text', 'json')),
  -- Made of the body whenever that is written, so that nothing is rendered for a reader.
  body_html text,
  body_start text NOT NULL DEFAULT '',
  excerpt text,
  featured_image text,
  featured_image_key text,
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'pending', 'scheduled', 'published')),
  visibility text NOT NULL DEFAULT 'public' CHECK (visibility IN ('public', 'auth', 'private', 'password')),
  password_hash text,
  comments_enabled boolean NOT NULL DEFAULT true,
  reactions_enabled boolean NOT NULL DEFAULT true,
  scheduled_at timestamptz,
  published_at timestamptz,
  metadata jsonb NOT NULL DEFAULT '{}',
  -- No more of a body than surely fits: what PostgreSQL keeps of a text for the search has a largest size.
  search tsvector GENERATED ALWAYS AS (
    to_tsvector('simple', title || ' ' || coalesce(excerpt, '') || ' ' || coalesce(left(body, 200000), ''))
  ) STORED,
  deleted_at timestamptz,
  deleted_by text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS posts_slug ON posts (lang, slug) WHERE deleted_at IS NULL;
-- For whoever asks without a language.
CREATE INDEX IF NOT EXISTS posts_by_slug ON posts (slug) WHERE deleted_at IS NULL;
CREATE INDEX IF NOT EXISTS posts_published ON posts (status, published_at DESC, id);
CREATE INDEX IF NOT EXISTS posts_of_user ON posts (user_id, status);
CREATE INDEX IF NOT EXISTS posts_scheduled ON posts (scheduled_at) WHERE status = 'scheduled';
CREATE INDEX IF NOT EXISTS posts_deleted ON posts (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX IF NOT EXISTS posts_search ON posts USING gin (search);

CREATE TABLE IF NOT EXISTS post_categories (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  lang text NOT NULL,
  description text NOT NULL DEFAULT '',
  parent_id uuid REFERENCES post_categories ON DELETE SET NULL,
  sort_order integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS post_categories_slug ON post_categories (lang, slug);
CREATE UNIQUE INDEX IF NOT EXISTS post_categories_name ON post_categories (lang, lower(name));
CREATE INDEX IF NOT EXISTS post_categories_of_parent ON post_categories (parent_id);

CREATE TABLE IF NOT EXISTS post_tags (
  id uuid PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  lang text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX IF NOT EXISTS post_tags_slug ON post_tags (lang, slug);
CREATE UNIQUE INDEX IF NOT EXISTS post_tags_name ON post_tags (lang, lower(name));

CREATE TABLE IF NOT EXISTS post_category_links (
  post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  category_id uuid NOT NULL REFERENCES post_categories ON DELETE CASCADE,
  PRIMARY KEY (post_id, category_id)
);
CREATE INDEX IF NOT EXISTS post_category_links_of_category ON post_category_links (category_id);

CREATE TABLE IF NOT EXISTS post_tag_links (
  post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  tag_id uuid NOT NULL REFERENCES post_tags ON DELETE CASCADE,
  PRIMARY KEY (post_id, tag_id)
);
CREATE INDEX IF NOT EXISTS post_tag_links_of_tag ON post_tag_links (tag_id);

CREATE TABLE IF NOT EXISTS post_revisions (
  id uuid PRIMARY KEY,
  post_id uuid NOT NULL REFERENCES posts ON DELETE CASCADE,
  user_id uuid REFERENCES users ON DELETE SET NULL,
  title text NOT NULL,
  body text,
  body_format text NOT NULL,
  excerpt text,
  fields jsonb NOT NULL DEFAULT '{}',
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX IF NOT EXISTS post_revisions_of_post ON post_revisions (post_id, created_at DESC);
CREATE INDEX IF NOT EXISTS post_revisions_of_user ON post_revisions (user_id) WHERE user_id IS NOT NULL;
