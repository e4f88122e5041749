-- How many wrong codes a partial session was shown: a few end it, whichever method they were for.
ALTER TABLE sessions ADD COLUMN wrong_codes integer NOT NULL DEFAULT 0;
