-- Users whose imported password hash was not yet replaced by one of our own.
CREATE INDEX users_with_imported_hash ON users (id) WHERE password_hash LIKE 'imported:%';
