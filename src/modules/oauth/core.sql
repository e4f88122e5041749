-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
-- The APIs for which access tokens are issued. Their scopes are the permissions that the application declares.
CREATE TABLE IF NOT EXISTS oauth_resources ();
ALTER TABLE oauth_resources
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now(),
  -- A later epoch invalidates what nodes have cached about tokens for the resource.
  ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1,
  -- Tokens of an earlier epoch have ended.
  ADD COLUMN IF NOT EXISTS tokens_from_epoch bigint NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  -- The audience of its tokens (RFC 8707), and the addresses that clients may also send for it.
  ADD COLUMN IF NOT EXISTS identifier text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS aliases text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(aliases) <= 10),
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS token_format text COLLATE "C" NOT NULL DEFAULT 'jwt' CHECK (token_format IN ('jwt', 'opaque')),
  -- The lifetime of its access tokens in seconds, and the algorithm of its JWTs. Null: the setting.
  ADD COLUMN IF NOT EXISTS access_ttl integer CHECK (access_ttl > 0),
  ADD COLUMN IF NOT EXISTS alg text COLLATE "C" CHECK (alg IN ('ES256', 'EdDSA', 'RS256')),
  ADD COLUMN IF NOT EXISTS is_enabled boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_resources_identifier_key ON oauth_resources (identifier);
CREATE INDEX IF NOT EXISTS oauth_resources_of_application ON oauth_resources (application_id);

-- Programs that ask for tokens, or that ask whether tokens are valid.
CREATE TABLE IF NOT EXISTS oauth_clients ();
ALTER TABLE oauth_clients
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now(),
  -- A later epoch invalidates what nodes have cached about the client and its tokens.
  ADD COLUMN IF NOT EXISTS epoch bigint NOT NULL DEFAULT 1,
  -- Tokens of an earlier epoch have ended.
  ADD COLUMN IF NOT EXISTS tokens_from_epoch bigint NOT NULL DEFAULT 1,
  ADD COLUMN IF NOT EXISTS application_id uuid NOT NULL REFERENCES applications ON DELETE CASCADE,
  -- The identifier that the client sends (RFC 6749, 2.2).
  ADD COLUMN IF NOT EXISTS client_id text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS type text COLLATE "C" NOT NULL CHECK (type IN ('machine', 'resource_server', 'web', 'spa', 'native')),
  ADD COLUMN IF NOT EXISTS name text NOT NULL,
  ADD COLUMN IF NOT EXISTS source text COLLATE "C" NOT NULL DEFAULT 'admin' CHECK (source IN ('admin')),
  ADD COLUMN IF NOT EXISTS auth_method text COLLATE "C" NOT NULL DEFAULT 'client_secret'
    CHECK (auth_method IN ('client_secret', 'none')),
  ADD COLUMN IF NOT EXISTS grant_types text[] COLLATE "C" NOT NULL DEFAULT '{}',
  -- The account whose scopes bound those of a machine's tokens.
  ADD COLUMN IF NOT EXISTS service_account_id uuid REFERENCES service_accounts ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(scopes) <= 200),
  -- The resources for which a machine gets tokens, the default one first; or those whose tokens a resource server checks.
  ADD COLUMN IF NOT EXISTS resources uuid[] NOT NULL DEFAULT '{}' CHECK (cardinality(resources) <= 20),
  -- The epochs at which the client got those of its scopes and resources that it has not always had. Tokens of an earlier
  -- epoch are worth nothing there, even if they were issued before the client lost the scope or resource.
  ADD COLUMN IF NOT EXISTS given_from jsonb NOT NULL DEFAULT '{}',
  -- The lifetime of its access tokens in seconds. Null: that of the resource.
  ADD COLUMN IF NOT EXISTS access_ttl integer CHECK (access_ttl > 0),
  -- The columns down to `backchannel_uri` are of clients that sign users in. The addresses are compared exactly, and are
  -- neither return addresses nor sign-out addresses of the application.
  ADD COLUMN IF NOT EXISTS redirect_uris text[] COLLATE "C" NOT NULL DEFAULT '{}' CHECK (cardinality(redirect_uris) <= 20),
  ADD COLUMN IF NOT EXISTS post_logout_uris text[] COLLATE "C" NOT NULL DEFAULT '{}'
    CHECK (cardinality(post_logout_uris) <= 20),
  -- The origins whose pages may call the token endpoint.
  ADD COLUMN IF NOT EXISTS allowed_origins text[] COLLATE "C" NOT NULL DEFAULT '{}'
    CHECK (cardinality(allowed_origins) <= 20),
  ADD COLUMN IF NOT EXISTS require_pkce boolean NOT NULL DEFAULT true,
  -- Users are not asked whether they allow the access.
  ADD COLUMN IF NOT EXISTS is_trusted boolean NOT NULL DEFAULT false,
  -- Null: RS256.
  ADD COLUMN IF NOT EXISTS id_token_alg text COLLATE "C" CHECK (id_token_alg IN ('ES256', 'EdDSA', 'RS256')),
  -- ID tokens also contain the claims that are otherwise only at the UserInfo endpoint.
  ADD COLUMN IF NOT EXISTS id_token_claims boolean NOT NULL DEFAULT false,
  -- The claim `groups` repeats `roles`.
  ADD COLUMN IF NOT EXISTS groups_claim boolean NOT NULL DEFAULT false,
  -- Access lasts after the sign-out, even if the client does not ask for offline_access.
  ADD COLUMN IF NOT EXISTS offline_default boolean NOT NULL DEFAULT false,
  -- In seconds. Null: the setting.
  ADD COLUMN IF NOT EXISTS refresh_idle_ttl integer CHECK (refresh_idle_ttl > 0),
  ADD COLUMN IF NOT EXISTS refresh_absolute_ttl integer CHECK (refresh_absolute_ttl > 0),
  -- Who may sign in. Empty: users of all types.
  ADD COLUMN IF NOT EXISTS allowed_types text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS required_permission text COLLATE "C",
  ADD COLUMN IF NOT EXISTS backchannel_uri text COLLATE "C",
  ADD COLUMN IF NOT EXISTS is_enabled boolean NOT NULL DEFAULT false,
  -- The row of a deleted client is kept for as long as its identifier stays taken.
  ADD COLUMN IF NOT EXISTS deleted_at timestamptz,
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
    WHERE conrelid = 'oauth_clients'::regclass AND conname = 'oauth_clients_account_of_machine') THEN
    ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_account_of_machine
      CHECK ((type = 'machine') = (service_account_id IS NOT NULL));
  END IF;
END $$;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
    WHERE conrelid = 'oauth_clients'::regclass AND conname = 'oauth_clients_pkce_of_public') THEN
    ALTER TABLE oauth_clients ADD CONSTRAINT oauth_clients_pkce_of_public
      CHECK (auth_method <> 'none' OR (require_pkce AND type IN ('spa', 'native')));
  END IF;
END $$;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_clients_client_id_key ON oauth_clients (client_id);
CREATE INDEX IF NOT EXISTS oauth_clients_of_application ON oauth_clients (application_id);
CREATE INDEX IF NOT EXISTS oauth_clients_of_account ON oauth_clients (service_account_id)
  WHERE service_account_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_clients_deleted ON oauth_clients (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE IF NOT EXISTS oauth_client_secrets ();
ALTER TABLE oauth_client_secrets
  ADD COLUMN IF NOT EXISTS id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS secret_hash bytea NOT NULL,
  -- The beginning and the end of the secret, by which administrators recognize it.
  ADD COLUMN IF NOT EXISTS hint text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz,
  ADD COLUMN IF NOT EXISTS revoked_at timestamptz,
  ADD COLUMN IF NOT EXISTS last_used_at timestamptz;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_client_secrets_hash_key ON oauth_client_secrets (client_id, secret_hash);

-- Opaque tokens. JWTs are not stored. `grants.sql` adds the grant of a user.
CREATE TABLE IF NOT EXISTS oauth_access_tokens ();
ALTER TABLE oauth_access_tokens
  ADD COLUMN IF NOT EXISTS token_hash bytea PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS client_id uuid NOT NULL REFERENCES oauth_clients ON DELETE CASCADE,
  -- The epoch of the client when the token was issued.
  ADD COLUMN IF NOT EXISTS client_epoch bigint NOT NULL,
  ADD COLUMN IF NOT EXISTS scopes text[] COLLATE "C" NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS resource_id uuid REFERENCES oauth_resources ON DELETE CASCADE,
  -- The epoch of the resource when the token was issued. Null: the token is for the API of this service.
  ADD COLUMN IF NOT EXISTS resource_epoch bigint,
  -- To what the token is bound (RFC 7800). Null: to nothing.
  ADD COLUMN IF NOT EXISTS cnf jsonb,
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
    WHERE conrelid = 'oauth_access_tokens'::regclass AND conname = 'oauth_access_tokens_epoch_of_resource') THEN
    ALTER TABLE oauth_access_tokens ADD CONSTRAINT oauth_access_tokens_epoch_of_resource
      CHECK ((resource_epoch IS NULL) = (resource_id IS NULL));
  END IF;
END $$;
CREATE INDEX IF NOT EXISTS oauth_access_tokens_by_expiry ON oauth_access_tokens (expires_at);
CREATE INDEX IF NOT EXISTS oauth_access_tokens_of_client ON oauth_access_tokens (client_id);
CREATE INDEX IF NOT EXISTS oauth_access_tokens_of_resource ON oauth_access_tokens (resource_id)
  WHERE resource_id IS NOT NULL;

-- Access tokens that were revoked one by one, until they would have expired.
CREATE TABLE IF NOT EXISTS oauth_revoked_tokens ();
ALTER TABLE oauth_revoked_tokens
  -- The first 16 bytes of the SHA-256 of the token, which are also the id of the token as an owner.
  ADD COLUMN IF NOT EXISTS token_id uuid PRIMARY KEY,
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS expires_at timestamptz NOT NULL;
CREATE INDEX IF NOT EXISTS oauth_revoked_tokens_by_expiry ON oauth_revoked_tokens (expires_at);

CREATE TABLE IF NOT EXISTS oauth_keys ();
ALTER TABLE oauth_keys
  -- The thumbprint of the public key (RFC 7638).
  ADD COLUMN IF NOT EXISTS kid text COLLATE "C" PRIMARY KEY,
  -- The id of the key as an owner of tokens.
  ADD COLUMN IF NOT EXISTS id uuid NOT NULL DEFAULT gen_random_uuid(),
  ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS alg text COLLATE "C" NOT NULL CHECK (alg IN ('ES256', 'EdDSA', 'RS256')),
  ADD COLUMN IF NOT EXISTS public_jwk jsonb NOT NULL,
  -- Encrypted under DATA_KEYS.
  ADD COLUMN IF NOT EXISTS sealed_private text COLLATE "C" NOT NULL,
  ADD COLUMN IF NOT EXISTS status text COLLATE "C" NOT NULL DEFAULT 'removed'
    CHECK (status IN ('next', 'current', 'retired', 'removed')),
  ADD COLUMN IF NOT EXISTS active_from timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN IF NOT EXISTS retired_at timestamptz,
  -- Until then, a retired key is in the JWKS; until `delete_after`, the row is kept.
  ADD COLUMN IF NOT EXISTS published_until timestamptz,
  ADD COLUMN IF NOT EXISTS delete_after timestamptz;
CREATE UNIQUE INDEX IF NOT EXISTS oauth_keys_one_current ON oauth_keys (alg) WHERE status = 'current';
CREATE UNIQUE INDEX IF NOT EXISTS oauth_keys_one_next ON oauth_keys (alg) WHERE status = 'next';

-- Nodes keep all resources, keys and origins of pages in memory, and read them again when this number changes.
CREATE TABLE IF NOT EXISTS oauth_version ();
ALTER TABLE oauth_version
  ADD COLUMN IF NOT EXISTS one boolean PRIMARY KEY DEFAULT true CHECK (one),
  ADD COLUMN IF NOT EXISTS version bigint NOT NULL DEFAULT 0;
INSERT INTO oauth_version DEFAULT VALUES ON CONFLICT DO NOTHING;

-- These rules are triggers, so that they also apply to statements that are run by hand. The nodes learn of changes as
-- they learn of ended sessions: `user_id` contains the id of a client, resource, key or token, or of all together.
CREATE OR REPLACE FUNCTION record_oauth_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES ('a0000000-0000-4000-8000-000000000003', NEW.version);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_version_changed AFTER UPDATE ON oauth_version FOR EACH ROW
  WHEN (OLD.version IS DISTINCT FROM NEW.version) EXECUTE FUNCTION record_oauth_version();

CREATE OR REPLACE FUNCTION raise_oauth_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_version SET version = version + 1;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_resources_versioned AFTER INSERT OR UPDATE OR DELETE ON oauth_resources
  FOR EACH STATEMENT EXECUTE FUNCTION raise_oauth_version();
CREATE OR REPLACE TRIGGER oauth_keys_versioned AFTER INSERT OR UPDATE OR DELETE ON oauth_keys
  FOR EACH STATEMENT EXECUTE FUNCTION raise_oauth_version();

-- Only changes of the origins whose pages may call the token endpoint.
CREATE OR REPLACE TRIGGER oauth_clients_origins_added AFTER INSERT ON oauth_clients FOR EACH ROW
  WHEN (NEW.allowed_origins <> '{}') EXECUTE FUNCTION raise_oauth_version();
CREATE OR REPLACE TRIGGER oauth_clients_origins_removed AFTER DELETE ON oauth_clients FOR EACH ROW
  WHEN (OLD.allowed_origins <> '{}') EXECUTE FUNCTION raise_oauth_version();
CREATE OR REPLACE TRIGGER oauth_clients_origins_changed AFTER UPDATE ON oauth_clients FOR EACH ROW
  WHEN ((OLD.allowed_origins <> '{}' OR NEW.allowed_origins <> '{}')
    AND (OLD.allowed_origins, OLD.type, OLD.is_enabled, OLD.deleted_at, OLD.application_id)
      IS DISTINCT FROM (NEW.allowed_origins, NEW.type, NEW.is_enabled, NEW.deleted_at, NEW.application_id))
  EXECUTE FUNCTION raise_oauth_version();

CREATE OR REPLACE FUNCTION raise_oauth_epoch() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.epoch := greatest(NEW.epoch, OLD.epoch + 1);
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER oauth_resources_changed BEFORE UPDATE ON oauth_resources FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.application_id, OLD.identifier, OLD.aliases, OLD.tokens_from_epoch)
    IS DISTINCT FROM (NEW.is_enabled, NEW.application_id, NEW.identifier, NEW.aliases, NEW.tokens_from_epoch))
  EXECUTE FUNCTION raise_oauth_epoch();
CREATE OR REPLACE TRIGGER oauth_clients_changed BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN ((to_jsonb(OLD) - '{last_used_at,updated_at}'::text[]) IS DISTINCT FROM (to_jsonb(NEW) - '{last_used_at,updated_at}'::text[]))
  EXECUTE FUNCTION raise_oauth_epoch();

-- A client or resource that is enabled again does not revive the tokens from before. These triggers run after the ones
-- above, in the order of their names.
CREATE OR REPLACE FUNCTION end_earlier_tokens() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.tokens_from_epoch := NEW.epoch;
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER oauth_clients_tokens_end BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.deleted_at, OLD.application_id, OLD.service_account_id, OLD.type, OLD.auth_method)
    IS DISTINCT FROM
    (NEW.is_enabled, NEW.deleted_at, NEW.application_id, NEW.service_account_id, NEW.type, NEW.auth_method))
  EXECUTE FUNCTION end_earlier_tokens();
-- A former identifier that stays an alias is still valid as an audience.
CREATE OR REPLACE TRIGGER oauth_resources_tokens_end BEFORE UPDATE ON oauth_resources FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.application_id) IS DISTINCT FROM (NEW.is_enabled, NEW.application_id)
    OR NOT OLD.identifier = ANY (NEW.identifier || NEW.aliases))
  EXECUTE FUNCTION end_earlier_tokens();

-- Neither does a client that gets a scope or a resource back.
CREATE OR REPLACE FUNCTION note_given_to_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.given_from := coalesce((
    SELECT jsonb_object_agg(one, CASE WHEN one = ANY (OLD.scopes || OLD.resources::text[])
      THEN NEW.given_from -> one ELSE to_jsonb(NEW.epoch) END)
    FROM unnest(NEW.scopes || NEW.resources::text[]) AS one
    WHERE NEW.given_from ? one OR NOT one = ANY (OLD.scopes || OLD.resources::text[])), '{}');
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER oauth_clients_given BEFORE UPDATE ON oauth_clients FOR EACH ROW
  WHEN ((OLD.scopes, OLD.resources) IS DISTINCT FROM (NEW.scopes, NEW.resources))
  EXECUTE FUNCTION note_given_to_client();
CREATE OR REPLACE FUNCTION note_given_to_account() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_clients SET given_from = given_from || (
      SELECT jsonb_object_agg(one, epoch + 1) FROM unnest(scopes) AS one
      WHERE one = ANY (NEW.scopes) AND NOT one = ANY (OLD.scopes))
    WHERE service_account_id = NEW.id AND EXISTS (
      SELECT FROM unnest(scopes) AS one WHERE one = ANY (NEW.scopes) AND NOT one = ANY (OLD.scopes));
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER service_accounts_oauth_given AFTER UPDATE ON service_accounts FOR EACH ROW
  WHEN (OLD.scopes IS DISTINCT FROM NEW.scopes) EXECUTE FUNCTION note_given_to_account();

CREATE OR REPLACE FUNCTION end_tokens_of_clients() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_TABLE_NAME = 'applications' THEN
    -- Its resources are enabled or disabled with it, also for clients of other applications. They are locked before clients,
    -- as when a resource is deleted.
    UPDATE oauth_resources SET tokens_from_epoch = epoch + 1 WHERE application_id = NEW.id;
    UPDATE oauth_clients SET tokens_from_epoch = epoch + 1 WHERE application_id = NEW.id;
  ELSE
    UPDATE oauth_clients SET tokens_from_epoch = epoch + 1 WHERE service_account_id = NEW.id;
  END IF;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER applications_oauth_tokens_end AFTER UPDATE ON applications FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.deleted_at) IS DISTINCT FROM (NEW.is_enabled, NEW.deleted_at))
  EXECUTE FUNCTION end_tokens_of_clients();
CREATE OR REPLACE TRIGGER service_accounts_oauth_tokens_end AFTER UPDATE ON service_accounts FOR EACH ROW
  WHEN ((OLD.is_enabled, OLD.deleted_at) IS DISTINCT FROM (NEW.is_enabled, NEW.deleted_at))
  EXECUTE FUNCTION end_tokens_of_clients();

-- Removing a secret before its end means that others know it, so the tokens that were issued with it end as well.
CREATE OR REPLACE FUNCTION end_tokens_of_secret() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_clients SET tokens_from_epoch = epoch + 1 WHERE id = OLD.client_id;
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_client_secrets_revoked AFTER UPDATE ON oauth_client_secrets FOR EACH ROW
  WHEN ((OLD.revoked_at, OLD.secret_hash, OLD.client_id) IS DISTINCT FROM (NEW.revoked_at, NEW.secret_hash, NEW.client_id))
  EXECUTE FUNCTION end_tokens_of_secret();

-- A new or shorter-lived secret invalidates what nodes know about the client, but not its tokens.
CREATE OR REPLACE FUNCTION raise_epoch_of_client() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE oauth_clients SET epoch = epoch + 1 WHERE id = coalesce(NEW.client_id, OLD.client_id);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_client_secrets_changed AFTER INSERT OR DELETE ON oauth_client_secrets FOR EACH ROW
  EXECUTE FUNCTION raise_epoch_of_client();
CREATE OR REPLACE TRIGGER oauth_client_secrets_ending AFTER UPDATE ON oauth_client_secrets FOR EACH ROW
  WHEN (OLD.expires_at IS DISTINCT FROM NEW.expires_at) EXECUTE FUNCTION raise_epoch_of_client();

CREATE OR REPLACE FUNCTION record_oauth_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch)
    VALUES (OLD.id, CASE TG_OP WHEN 'DELETE' THEN OLD.epoch + 1 ELSE NEW.epoch END);
  RETURN NULL;
END $$;
-- Not limited to a column, because another trigger may have raised the epoch.
CREATE OR REPLACE TRIGGER oauth_clients_revoked AFTER UPDATE ON oauth_clients FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION record_oauth_revocation();
CREATE OR REPLACE TRIGGER oauth_clients_erased AFTER DELETE ON oauth_clients FOR EACH ROW
  EXECUTE FUNCTION record_oauth_revocation();
CREATE OR REPLACE TRIGGER oauth_resources_revoked AFTER UPDATE ON oauth_resources FOR EACH ROW
  WHEN (OLD.epoch IS DISTINCT FROM NEW.epoch) EXECUTE FUNCTION record_oauth_revocation();
CREATE OR REPLACE TRIGGER oauth_resources_erased AFTER DELETE ON oauth_resources FOR EACH ROW
  EXECUTE FUNCTION record_oauth_revocation();

-- Tokens that a removed key has signed are invalid. Epochs of keys and tokens are 1 until they are removed.
CREATE OR REPLACE FUNCTION record_removed_key() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES (OLD.id, 2);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_keys_removed AFTER UPDATE ON oauth_keys FOR EACH ROW
  WHEN (NEW.status = 'removed' AND OLD.status <> 'removed') EXECUTE FUNCTION record_removed_key();
CREATE OR REPLACE TRIGGER oauth_keys_erased AFTER DELETE ON oauth_keys FOR EACH ROW
  EXECUTE FUNCTION record_removed_key();

-- A key that was removed must not sign or verify again.
CREATE OR REPLACE FUNCTION keep_key_removed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.status := 'removed';
  RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER oauth_keys_kept_removed BEFORE UPDATE ON oauth_keys FOR EACH ROW
  WHEN (OLD.status = 'removed' AND NEW.status <> 'removed') EXECUTE FUNCTION keep_key_removed();

CREATE OR REPLACE FUNCTION record_revoked_token() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO session_revocations (user_id, epoch) VALUES (NEW.token_id, 2);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER oauth_tokens_revoked AFTER INSERT ON oauth_revoked_tokens FOR EACH ROW
  EXECUTE FUNCTION record_revoked_token();

-- Why requests of a client were rejected.
CREATE INDEX IF NOT EXISTS audit_events_of_oauth_client ON audit_events ((details ->> 'client'), time)
  WHERE event IN ('oauth_client_auth_failed', 'oauth_request_refused');
