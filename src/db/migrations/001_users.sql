-- One row a person. Addresses and names are compared byte for byte (collation C): no locale decides who is who.
CREATE TABLE users (
  id uuid PRIMARY KEY,
  email text COLLATE "C" NOT NULL,
  user_name text COLLATE "C" NOT NULL,
  phone text COLLATE "C",
  password_hash text,
  user_type text NOT NULL DEFAULT 'customer',
  name text NOT NULL DEFAULT '',
  last_name text NOT NULL DEFAULT '',
  display_name text,
  title text,
  gender text,
  dob text,
  picture text NOT NULL DEFAULT '',
  lang text,
  tmz text,
  metadata jsonb NOT NULL DEFAULT '{}',
  is_verified boolean NOT NULL DEFAULT false,
  two_factor boolean NOT NULL DEFAULT false,
  first_time boolean NOT NULL DEFAULT true,
  -- Rises with every change that outdates copies of the user's sessions.
  session_epoch bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  deleted_at timestamptz,
  CONSTRAINT users_email_lower CHECK (email = lower(email))
);

CREATE UNIQUE INDEX users_email_key ON users (email);
CREATE UNIQUE INDEX users_user_name_key ON users (lower(user_name) COLLATE "C");
CREATE UNIQUE INDEX users_phone_key ON users (phone) WHERE phone IS NOT NULL;

-- Facts that are true once and for ever, such as "a first administrator has existed".
CREATE TABLE installation_facts (
  fact text PRIMARY KEY,
  since timestamptz NOT NULL
);
