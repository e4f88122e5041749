-- Users first, and in one statement: it holds the table until the run ends, but writes no row of it.
ALTER TABLE users
  ADD COLUMN IF NOT EXISTS is_business boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS biz_name text,
  ADD COLUMN IF NOT EXISTS biz_country text,
  ADD COLUMN IF NOT EXISTS biz_state text,
  ADD COLUMN IF NOT EXISTS biz_position text,
  ADD COLUMN IF NOT EXISTS biz_postal_code text;

-- No row has a country yet, so none is looked at: NOT VALID concerns what was there before, not what comes.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
      WHERE conrelid = 'users'::regclass AND conname = 'users_biz_country_letters') THEN
    ALTER TABLE users ADD CONSTRAINT users_biz_country_letters CHECK (biz_country ~ '^[A-Z]{2}$') NOT VALID;
  END IF;
END $$;

-- Most users are no business: the rest of them would only make these indexes slow to build and to keep.
CREATE INDEX IF NOT EXISTS users_in_business ON users (is_business) WHERE is_business;
CREATE INDEX IF NOT EXISTS users_by_biz_country ON users (biz_country) WHERE biz_country IS NOT NULL;

CREATE TABLE IF NOT EXISTS user_onboarding (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  status text NOT NULL,
  step text,
  steps jsonb NOT NULL DEFAULT '{}',
  data jsonb NOT NULL DEFAULT '{}',
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);

-- Written by the completion and read by no part of the service.
CREATE TABLE IF NOT EXISTS user_acquisition (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  team_size_range text,
  acquisition_source text,
  acquisition_medium text,
  acquisition_campaign text,
  acquisition_term text,
  acquisition_content text,
  acquisition_referrer text,
  acquisition_landing_page text,
  acquisition_channel text,
  acquisition_detail text,
  acquisition_extra jsonb NOT NULL DEFAULT '{}',
  acquired_at timestamptz,
  updated_at timestamptz NOT NULL DEFAULT now()
);
