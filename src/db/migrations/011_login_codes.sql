-- A login link has a typed code beside it. Both are one row, so that whichever is used first is the end of both. A code is
-- short: it is kept as an HMAC under a key that is not in the database, lives less long, and takes few guesses.
ALTER TABLE one_time_secrets ADD COLUMN code_hash text COLLATE "C";
ALTER TABLE one_time_secrets ADD COLUMN code_expires_at timestamptz;
ALTER TABLE one_time_secrets ADD COLUMN guesses integer NOT NULL DEFAULT 0;
