-- Requests for a new email address. The change is made after it has been confirmed from both addresses, with one-time
-- secrets that are bound to the row's id. See notice_id for the exception.
CREATE TABLE email_changes (
  id uuid PRIMARY KEY,
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  -- The session in which the change was requested. The change ends all others.
  session_id uuid REFERENCES sessions (id) ON DELETE SET NULL,
  old_email text COLLATE "C" NOT NULL,
  new_email text COLLATE "C" NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'cancelled', 'replaced', 'expired')),
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The email that told the current address about a change that was proven with a passkey. If it was delivered, the
  -- change takes effect when it expires, even if only the new address has confirmed it.
  notice_id uuid
);

CREATE UNIQUE INDEX email_changes_pending ON email_changes (user_id) WHERE status = 'pending';
CREATE INDEX email_changes_expiry ON email_changes (expires_at) WHERE status = 'pending';
CREATE INDEX email_changes_ended ON email_changes (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX email_changes_of_session ON email_changes (session_id) WHERE session_id IS NOT NULL;
