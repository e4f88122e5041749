-- Whether the number may be used to sign in. Whoever adds one without proving who they are could else come back by it.
ALTER TABLE users ADD COLUMN phone_trusted boolean NOT NULL DEFAULT true;
