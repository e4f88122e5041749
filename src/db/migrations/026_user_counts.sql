-- How many living users there are of each type. Rows of one type add up: a change adds one and waits for nobody, and a
-- chore sums them up from time to time.
CREATE TABLE user_counts (
  user_type text NOT NULL,
  users integer NOT NULL
);
-- Rows have no key: a subscriber of logical replication tells them apart by what they hold.
ALTER TABLE user_counts REPLICA IDENTITY FULL;

-- The argument is what one row counts: 1 for those who come, -1 for those who go.
CREATE FUNCTION count_users() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts (user_type, users)
    SELECT user_type, TG_ARGV[0]::integer * count(*) FROM changed WHERE deleted_at IS NULL GROUP BY user_type;
  RETURN NULL;
END $$;

CREATE FUNCTION recount_user() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO user_counts (user_type, users)
    SELECT user_type, change FROM (VALUES (OLD.user_type, OLD.deleted_at, -1), (NEW.user_type, NEW.deleted_at, 1))
      AS states (user_type, deleted_at, change) WHERE deleted_at IS NULL;
  RETURN NULL;
END $$;

CREATE FUNCTION forget_user_counts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM user_counts;
  RETURN NULL;
END $$;

-- From here on nobody changes users until all of them are counted.
LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE;
CREATE TRIGGER users_counted AFTER INSERT ON users REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_users('1');
CREATE TRIGGER users_uncounted AFTER DELETE ON users REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION count_users('-1');
-- By row, unlike the others: most changes of users are none of these, and pay nothing.
CREATE TRIGGER users_recounted AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.user_type, OLD.deleted_at IS NULL) IS DISTINCT FROM (NEW.user_type, NEW.deleted_at IS NULL))
  EXECUTE FUNCTION recount_user();
CREATE TRIGGER users_forgotten AFTER TRUNCATE ON users FOR EACH STATEMENT EXECUTE FUNCTION forget_user_counts();
INSERT INTO user_counts (user_type, users)
  SELECT user_type, count(*) FROM users WHERE deleted_at IS NULL GROUP BY user_type;
