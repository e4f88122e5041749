-- Messages, and tasks that must take the same time for every caller. They are written in the transaction that causes
-- them.
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('mail', 'sms', 'task')),
  message text NOT NULL,
  -- Encrypted. Erased after delivery.
  payload text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'queued', 'sent', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- A message with a secret is not sent after the secret has expired.
  expires_at timestamptz,
  done_at timestamptz,
  last_error text
);

CREATE INDEX outbox_pending ON outbox (created_at) WHERE status = 'pending';
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
-- For the list of messages, newest first, and for the messages that can be sent again.
CREATE INDEX outbox_by_time ON outbox (created_at, id);
CREATE INDEX outbox_failed ON outbox (created_at, id) WHERE status = 'failed';

-- Texts of messages that replace the built-in ones. The highest version is in use. A version without a subject and a
-- text selects the built-in message.
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
