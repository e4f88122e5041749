-- First and in one statement, because the table is locked until the run ends. No row is rewritten.
ALTER TABLE users
  ADD COLUMN IF NOT EXISTS is_business boolean NOT NULL DEFAULT false,
  ADD COLUMN IF NOT EXISTS biz_name text,
  ADD COLUMN IF NOT EXISTS biz_country text,
  ADD COLUMN IF NOT EXISTS biz_state text,
  ADD COLUMN IF NOT EXISTS biz_position text,
  ADD COLUMN IF NOT EXISTS biz_postal_code text;

-- NOT VALID, because the run would otherwise read the whole table while it is locked. Existing rows satisfy the
-- constraint, because they have no country.
DO $$ BEGIN
  IF NOT EXISTS (SELECT FROM pg_constraint
      WHERE conrelid = 'users'::regclass AND conname = 'users_biz_country_letters') THEN
    ALTER TABLE users ADD CONSTRAINT users_biz_country_letters CHECK (biz_country ~ '^[A-Z]{2}$') NOT VALID;
  END IF;
END $$;

-- Only business users, because an index of all users would be slower to build and to update.
CREATE INDEX IF NOT EXISTS users_in_business ON users (is_business) WHERE is_business;
CREATE INDEX IF NOT EXISTS users_by_biz_country ON users (biz_country) WHERE biz_country IS NOT NULL;

-- Each table is created without columns, and each missing column is added, so that the same statements repair it.
-- Defaults are the values of rows whose column was lost. If no value would be correct for them, the repair fails.
CREATE TABLE IF NOT EXISTS user_onboarding ();
ALTER TABLE user_onboarding
  ADD COLUMN IF NOT EXISTS user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS status text NOT NULL,
  ADD COLUMN IF NOT EXISTS step text,
  ADD COLUMN IF NOT EXISTS steps jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS data jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS started_at timestamptz,
  ADD COLUMN IF NOT EXISTS completed_at timestamptz,
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();

-- Written when onboarding is completed. The service never reads it.
CREATE TABLE IF NOT EXISTS user_acquisition ();
ALTER TABLE user_acquisition
  ADD COLUMN IF NOT EXISTS user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  ADD COLUMN IF NOT EXISTS team_size_range text,
  ADD COLUMN IF NOT EXISTS acquisition_source text,
  ADD COLUMN IF NOT EXISTS acquisition_medium text,
  ADD COLUMN IF NOT EXISTS acquisition_campaign text,
  ADD COLUMN IF NOT EXISTS acquisition_term text,
  ADD COLUMN IF NOT EXISTS acquisition_content text,
  ADD COLUMN IF NOT EXISTS acquisition_referrer text,
  ADD COLUMN IF NOT EXISTS acquisition_landing_page text,
  ADD COLUMN IF NOT EXISTS acquisition_channel text,
  ADD COLUMN IF NOT EXISTS acquisition_detail text,
  ADD COLUMN IF NOT EXISTS acquisition_extra jsonb NOT NULL DEFAULT '{}',
  ADD COLUMN IF NOT EXISTS acquired_at timestamptz,
  ADD COLUMN IF NOT EXISTS updated_at timestamptz NOT NULL DEFAULT now();
