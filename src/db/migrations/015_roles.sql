-- Roles that superadmins add to the built-in ones. A staff role is used as a `user_type`.
CREATE TABLE roles (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind = 'staff'),
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  permissions text[] COLLATE "C" NOT NULL CHECK (cardinality(permissions) <= 200)
);

CREATE UNIQUE INDEX roles_key_key ON roles (kind, key);

-- Impersonations end when the role of the impersonator changes or loses a permission. This is a trigger, so that it also
-- applies to statements that are run by hand.
CREATE FUNCTION end_impersonations_of_role() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH ended AS (
    UPDATE sessions SET status = 'revoked', ended_at = now(), end_reason = 'impersonator_ended'
      WHERE impersonated_by IN (SELECT id FROM users WHERE user_type = OLD.key) AND status IN ('pending', 'active')
      RETURNING user_id)
  UPDATE users SET session_epoch = session_epoch + 1 WHERE id IN (SELECT user_id FROM ended);
  RETURN NULL;
END $$;

CREATE TRIGGER roles_impersonations_end AFTER UPDATE ON roles FOR EACH ROW
  WHEN (OLD.key <> NEW.key OR OLD.permissions <> NEW.permissions)
  EXECUTE FUNCTION end_impersonations_of_role();
CREATE TRIGGER deleted_roles_impersonations_end AFTER DELETE ON roles FOR EACH ROW
  EXECUTE FUNCTION end_impersonations_of_role();
