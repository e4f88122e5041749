-- Every raised session epoch, for ten minutes. Nodes read it several times a second, so a lost message between nodes
-- cannot keep an ended session alive.
CREATE TABLE session_revocations (
  -- Numbers are assigned before transactions commit, and they commit in any order: a reader compares them with the
  -- snapshot of its previous read, not with the highest number it has seen.
  transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id(),
  user_id uuid NOT NULL,
  epoch bigint NOT NULL,
  revoked_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX session_revocations_transaction ON session_revocations (transaction_id);
-- The rows have no key. A subscriber of logical replication identifies them by all their columns.
ALTER TABLE session_revocations REPLICA IDENTITY FULL;

CREATE FUNCTION record_session_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES (NEW.id, NEW.session_epoch);
  RETURN NULL;
END $$;

-- A trigger, so that nodes of the previous version and statements run by hand are recorded too.
CREATE TRIGGER users_sessions_revoked AFTER UPDATE OF session_epoch ON users FOR EACH ROW
  WHEN (OLD.session_epoch IS DISTINCT FROM NEW.session_epoch)
  EXECUTE FUNCTION record_session_revocation();
