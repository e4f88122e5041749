-- The permissions that applications declare for their own code. Those of this service are in its code, and have no rows.
CREATE TABLE permissions (
  key text COLLATE "C" PRIMARY KEY
    CHECK (length(key) <= 80 AND key ~ '^[a-z][a-z0-9_-]*(:[a-z0-9_-]+){1,3}$' AND key !~ '^wardenry:'),
  -- A deleted application keeps its permissions until it is erased.
  application_id uuid NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  -- By language.
  title jsonb NOT NULL,
  description jsonb NOT NULL,
  -- Patterns of roles do not cover it.
  sensitive boolean NOT NULL,
  -- The application no longer declares it. Roles keep it, without effect.
  retired_at timestamptz
);

CREATE INDEX permissions_of_application ON permissions (application_id);

-- Staff roles that superadmins add to the built-in ones, each of which is used as a `user_type`, and roles of
-- applications.
CREATE TABLE roles (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('staff', 'application')),
  application_id uuid REFERENCES applications (id) ON DELETE CASCADE,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  description text NOT NULL DEFAULT '',
  -- Those of an application may end with `:*`.
  permissions text[] COLLATE "C" NOT NULL CHECK (cardinality(permissions) <= 200),
  -- Every user has the role, without a row in user_roles.
  is_default boolean NOT NULL DEFAULT false,
  -- A later epoch invalidates what is cached about the role's permissions.
  epoch bigint NOT NULL DEFAULT 1,
  CONSTRAINT roles_application CHECK ((kind = 'application') = (application_id IS NOT NULL)),
  CONSTRAINT roles_default CHECK (kind = 'application' OR NOT is_default)
);

CREATE UNIQUE INDEX roles_key_key ON roles (kind, key) WHERE application_id IS NULL;
CREATE UNIQUE INDEX roles_of_application_key ON roles (application_id, key) WHERE application_id IS NOT NULL;

-- The application roles that users were given. There is no foreign key to the role, because deleting a role that many
-- users have must not change all of them: a cleanup job removes the rows.
CREATE TABLE user_roles (
  user_id uuid NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role_id uuid NOT NULL,
  granted_at timestamptz NOT NULL,
  -- Null if an operator, an import or the service itself granted the role.
  granted_by uuid REFERENCES users (id) ON DELETE SET NULL,
  until timestamptz,
  PRIMARY KEY (user_id, role_id)
);

CREATE INDEX user_roles_of_role ON user_roles (role_id, user_id);
CREATE INDEX user_roles_granted_by ON user_roles (granted_by) WHERE granted_by IS NOT NULL;
CREATE INDEX user_roles_by_end ON user_roles (until) WHERE until IS NOT NULL;

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
  WHEN (OLD.kind = 'staff' AND (OLD.key <> NEW.key OR OLD.permissions <> NEW.permissions))
  EXECUTE FUNCTION end_impersonations_of_role();
CREATE TRIGGER deleted_roles_impersonations_end AFTER DELETE ON roles FOR EACH ROW
  WHEN (OLD.kind = 'staff')
  EXECUTE FUNCTION end_impersonations_of_role();

-- A grant changes what cached sessions of the user say. The user of an erased row is gone, and a role that was deleted
-- has invalidated them itself.
CREATE FUNCTION raise_epoch_of_granted_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' AND NOT EXISTS (SELECT FROM roles WHERE id = OLD.role_id) THEN
    RETURN NULL;
  END IF;
  IF TG_OP <> 'DELETE' THEN
    UPDATE users SET session_epoch = session_epoch + 1 WHERE id = NEW.user_id;
  END IF;
  IF TG_OP = 'DELETE' OR (TG_OP = 'UPDATE' AND OLD.user_id <> NEW.user_id) THEN
    UPDATE users SET session_epoch = session_epoch + 1 WHERE id = OLD.user_id;
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER user_roles_granted AFTER INSERT OR DELETE ON user_roles FOR EACH ROW
  EXECUTE FUNCTION raise_epoch_of_granted_user();
CREATE TRIGGER user_roles_changed AFTER UPDATE OF user_id, role_id, until ON user_roles FOR EACH ROW
  EXECUTE FUNCTION raise_epoch_of_granted_user();

CREATE FUNCTION raise_role_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  RETURN NEW;
END $$;

CREATE TRIGGER roles_changed BEFORE UPDATE ON roles FOR EACH ROW
  WHEN (OLD.kind = 'application' AND (OLD.kind, OLD.application_id, OLD.key, OLD.permissions, OLD.is_default)
    IS DISTINCT FROM (NEW.kind, NEW.application_id, NEW.key, NEW.permissions, NEW.is_default))
  EXECUTE FUNCTION raise_role_epoch();

-- Nodes keep all application roles in memory, and read them again when this number changes.
CREATE TABLE role_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO role_version (version) VALUES (0);

-- The nodes learn of changes as they learn of ended sessions. `user_id` contains the id of all roles together.
CREATE FUNCTION record_role_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES ('a0000000-0000-4000-8000-000000000002', NEW.version);
  RETURN NULL;
END $$;

CREATE TRIGGER role_version_changed AFTER UPDATE OF version ON role_version FOR EACH ROW
  WHEN (OLD.version IS DISTINCT FROM NEW.version)
  EXECUTE FUNCTION record_role_version();

CREATE FUNCTION record_role_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    INSERT INTO session_revocations (user_id, epoch)
      VALUES (OLD.id, CASE TG_OP WHEN 'DELETE' THEN OLD.epoch + 1 ELSE NEW.epoch END);
  END IF;
  UPDATE role_version SET version = version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER roles_revoked AFTER UPDATE ON roles FOR EACH ROW
  WHEN (OLD.kind = 'application' AND OLD.epoch IS DISTINCT FROM NEW.epoch)
  EXECUTE FUNCTION record_role_revocation();
CREATE TRIGGER roles_created AFTER INSERT ON roles FOR EACH ROW
  WHEN (NEW.kind = 'application')
  EXECUTE FUNCTION record_role_revocation();
CREATE TRIGGER roles_erased AFTER DELETE ON roles FOR EACH ROW
  WHEN (OLD.kind = 'application')
  EXECUTE FUNCTION record_role_revocation();

-- The permissions of a role also change when one that its list covers does.
CREATE FUNCTION raise_epochs_of_covering_roles(permission text, application uuid) RETURNS void LANGUAGE sql AS $$
  UPDATE roles SET epoch = epoch + 1 WHERE application_id = application AND EXISTS (
    SELECT FROM unnest(permissions) AS listed
    WHERE listed = permission OR (right(listed, 2) = ':*' AND starts_with(permission, left(listed, -1))));
$$;

CREATE FUNCTION raise_epochs_of_permission() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP <> 'INSERT' THEN
    PERFORM raise_epochs_of_covering_roles(OLD.key, OLD.application_id);
  END IF;
  IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND (OLD.key, OLD.application_id) <> (NEW.key, NEW.application_id)) THEN
    PERFORM raise_epochs_of_covering_roles(NEW.key, NEW.application_id);
  END IF;
  -- Keys and tokens of service accounts have permissions without any role.
  UPDATE role_version SET version = version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER permissions_declared AFTER INSERT OR DELETE ON permissions FOR EACH ROW
  EXECUTE FUNCTION raise_epochs_of_permission();
CREATE TRIGGER permissions_changed AFTER UPDATE ON permissions FOR EACH ROW
  WHEN ((OLD.key, OLD.application_id, OLD.sensitive, OLD.retired_at IS NULL)
    IS DISTINCT FROM (NEW.key, NEW.application_id, NEW.sensitive, NEW.retired_at IS NULL))
  EXECUTE FUNCTION raise_epochs_of_permission();

-- Responses contain the roles and permissions of enabled applications only.
CREATE FUNCTION raise_epochs_of_application_roles() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE roles SET epoch = epoch + 1 WHERE application_id = NEW.id;
  UPDATE role_version SET version = version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER applications_roles_changed AFTER UPDATE ON applications FOR EACH ROW
  WHEN ((OLD.key, OLD.is_enabled, OLD.deleted_at) IS DISTINCT FROM (NEW.key, NEW.is_enabled, NEW.deleted_at))
  EXECUTE FUNCTION raise_epochs_of_application_roles();
