-- Texts of messages that replace the built-in ones. The highest version is in use. Without a subject and a text, it
-- stands for the built-in message.
CREATE TABLE message_templates (
  name text COLLATE "C" NOT NULL,
  language text COLLATE "C" NOT NULL,
  version integer NOT NULL CHECK (version > 0),
  subject text,
  text text,
  html text,
  author_id uuid REFERENCES users (id) ON DELETE SET NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (name, language, version),
  CHECK ((subject IS NULL) = (text IS NULL) AND (html IS NULL OR text IS NOT NULL))
);

CREATE INDEX message_templates_by_author ON message_templates (author_id) WHERE author_id IS NOT NULL;
