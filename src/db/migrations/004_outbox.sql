-- Messages, and tasks that must cost every caller the same, which joined the transaction that caused them. The payload is
-- sealed, and erased once it is done.
CREATE TABLE outbox (
  id uuid PRIMARY KEY,
  channel text NOT NULL CHECK (channel IN ('mail', 'sms', 'task')),
  message text NOT NULL,
  payload text,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'queued', 'sent', 'failed', 'expired')),
  attempts integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  -- A message about a secret that has expired is dropped, not sent late.
  expires_at timestamptz,
  done_at timestamptz,
  last_error text
);

CREATE INDEX outbox_pending ON outbox (created_at) WHERE status = 'pending';
CREATE INDEX outbox_done ON outbox (done_at) WHERE done_at IS NOT NULL;
