-- Applications whose users sign in with this service. The settings of the environment (ALLOWED_REDIRECTS, CORS_ORIGINS)
-- declare others, which have no rows.
CREATE TABLE applications (
  id uuid PRIMARY KEY,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  -- A deleted application can be restored for some days. Until then, its key and addresses stay taken.
  deleted_at timestamptz,
  -- A later epoch invalidates what nodes have cached about the application and its sessions.
  epoch bigint NOT NULL DEFAULT 1,
  -- Sessions and codes of an earlier epoch have ended, even if their rows do not say so yet.
  sessions_from_epoch bigint NOT NULL DEFAULT 1,
  is_enabled boolean NOT NULL,
  -- Also accepts return addresses and origins on this machine (http://localhost), with any port.
  is_development boolean NOT NULL,
  -- A name for other systems, which is written in files and commands.
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  kind text NOT NULL CHECK (kind IN ('website', 'single_page', 'mobile', 'gateway', 'service')),
  source text NOT NULL DEFAULT 'admin',
  home_url text COLLATE "C",
  -- The keys of other applications whose sessions this one's secrets may validate.
  accepts text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- The ways to sign in that the application accepts, named as in sessions.sign_in_method. Empty: all.
  sign_in_methods text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- Whether users may register on the way to this application, if the settings allow registrations.
  registration boolean NOT NULL DEFAULT true,
  -- The demands on requests that a gateway forwards with the visitor's path: the kinds of credentials that are accepted
  -- (empty: sessions), the scopes that keys and tokens must have, the API for which a token must have been issued, and the
  -- permission.
  gateway_accept text[] COLLATE "C" NOT NULL DEFAULT '{}',
  gateway_scope text[] COLLATE "C" NOT NULL DEFAULT '{}',
  gateway_permission text COLLATE "C",
  gateway_resource text COLLATE "C",
  note text NOT NULL DEFAULT '',
  -- The appearance of the sign-in pages that are opened for the application. Null: that of the installation.
  accent text COLLATE "C",
  -- The version, type and size of the picture in application_logos.
  logo json,
  terms_url text COLLATE "C",
  privacy_url text COLLATE "C",
  -- Where users are sent after a sign-out that names only the application.
  sign_out_url text COLLATE "C"
);

-- Nodes keep the applications in memory, but not their pictures.
CREATE TABLE application_logos (
  application_id uuid PRIMARY KEY REFERENCES applications (id) ON DELETE CASCADE,
  bytes bytea NOT NULL
);

CREATE UNIQUE INDEX applications_key_key ON applications (key);

-- These rules are triggers, so that they also apply to statements that are run by hand. Enabling raises the epoch, too,
-- so that nothing from before is revived.
CREATE FUNCTION end_sessions_of_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  NEW.sessions_from_epoch := NEW.epoch;
  RETURN NEW;
END $$;

CREATE TRIGGER applications_sessions_end BEFORE UPDATE ON applications FOR EACH ROW
  WHEN (OLD.is_enabled IS DISTINCT FROM NEW.is_enabled OR OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION end_sessions_of_application();

-- Cached sessions are read again, because the application may no longer accept the way in which they began.
CREATE FUNCTION raise_application_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  RETURN NEW;
END $$;

CREATE TRIGGER applications_methods_changed BEFORE UPDATE ON applications FOR EACH ROW
  WHEN (OLD.sign_in_methods IS DISTINCT FROM NEW.sign_in_methods)
  EXECUTE FUNCTION raise_application_epoch();

CREATE FUNCTION record_application_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch)
    VALUES (OLD.id, CASE TG_OP WHEN 'DELETE' THEN OLD.epoch + 1 ELSE NEW.epoch END);
  RETURN NULL;
END $$;

-- Not limited to a column, because another trigger may have raised the epoch.
CREATE TRIGGER applications_revoked AFTER UPDATE ON applications FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch)
  EXECUTE FUNCTION record_application_revocation();
CREATE TRIGGER applications_erased AFTER DELETE ON applications FOR EACH ROW
  EXECUTE FUNCTION record_application_revocation();

CREATE TABLE application_addresses (
  application_id uuid NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  -- `return`: sign-ins and mailed links may lead there. `origin`: its pages may call the API.
  kind text NOT NULL CHECK (kind IN ('return', 'origin')),
  -- The order in which the addresses were given.
  position integer NOT NULL,
  address text COLLATE "C" NOT NULL
);

-- A new application may get the key of one that was erased, but not its sessions' acceptance.
CREATE FUNCTION forget_erased_application() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE applications SET accepts = array_remove(accepts, OLD.key) WHERE OLD.key = ANY (accepts);
  RETURN NULL;
END $$;

CREATE TRIGGER applications_forgotten AFTER DELETE ON applications FOR EACH ROW
  EXECUTE FUNCTION forget_erased_application();

-- An address belongs to one application.
CREATE UNIQUE INDEX application_addresses_key ON application_addresses (kind, address);
CREATE INDEX application_addresses_of_application ON application_addresses (application_id);

-- Bridge secrets of applications, in addition to those in the settings.
CREATE TABLE application_secrets (
  id uuid PRIMARY KEY,
  application_id uuid NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  secret_hash bytea NOT NULL,
  -- The beginning and the end of the secret, by which administrators recognize it.
  hint text COLLATE "C" NOT NULL,
  rights text[] NOT NULL CHECK (rights <@ ARRAY['sessions', 'users', 'events', 'permissions']),
  -- The networks from which the secret is accepted, in CIDR notation. Empty: all.
  ip_ranges text[] NOT NULL,
  ends_at timestamptz
);

CREATE UNIQUE INDEX application_secrets_hash_key ON application_secrets (secret_hash);
CREATE INDEX application_secrets_of_application ON application_secrets (application_id);

-- A secret that was revoked by deleting its application must not work again when the application is restored.
CREATE FUNCTION delete_application_secrets() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM application_secrets WHERE application_id = NEW.id;
  RETURN NULL;
END $$;

CREATE TRIGGER application_deleted AFTER UPDATE OF deleted_at ON applications FOR EACH ROW
  WHEN (OLD.deleted_at IS DISTINCT FROM NEW.deleted_at)
  EXECUTE FUNCTION delete_application_secrets();

-- Tests of applications that are in progress, each with a user who is deleted at the end.
CREATE TABLE application_tests (
  user_id uuid PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
  -- One test at a time.
  application_id uuid NOT NULL UNIQUE REFERENCES applications (id) ON DELETE CASCADE,
  started_at timestamptz NOT NULL
);

-- Nodes keep all applications in memory, and read them again when this number changes.
CREATE TABLE application_version (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  version bigint NOT NULL
);
INSERT INTO application_version (version) VALUES (0);

-- The nodes learn of changes as they learn of ended sessions. `user_id` contains the id of all applications together.
CREATE FUNCTION record_application_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES ('a0000000-0000-4000-8000-000000000001', NEW.version);
  RETURN NULL;
END $$;

CREATE TRIGGER application_version_changed AFTER UPDATE OF version ON application_version FOR EACH ROW
  WHEN (OLD.version IS DISTINCT FROM NEW.version)
  EXECUTE FUNCTION record_application_version();

CREATE FUNCTION raise_application_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE application_version SET version = version + 1;
  RETURN NULL;
END $$;

CREATE TRIGGER applications_changed AFTER INSERT OR UPDATE OR DELETE ON applications FOR EACH STATEMENT
  EXECUTE FUNCTION raise_application_version();
CREATE TRIGGER application_addresses_changed AFTER INSERT OR UPDATE OR DELETE ON application_addresses
  FOR EACH STATEMENT EXECUTE FUNCTION raise_application_version();
CREATE TRIGGER application_secrets_changed AFTER INSERT OR UPDATE OR DELETE ON application_secrets
  FOR EACH STATEMENT EXECUTE FUNCTION raise_application_version();
