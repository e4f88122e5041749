-- Sessions by their end, for the janitor: most sessions have one, and only the oldest of them are looked for.
CREATE INDEX sessions_by_end ON sessions (ended_at) WHERE ended_at IS NOT NULL;
