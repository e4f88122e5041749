-- Lists of users in the order of names and of changes, and users by the verification of their address.
CREATE INDEX users_by_name ON users (name, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_change ON users (updated_at DESC, id) WHERE deleted_at IS NULL;
CREATE INDEX users_by_verification ON users (is_verified, created_at DESC, id) WHERE deleted_at IS NULL;
