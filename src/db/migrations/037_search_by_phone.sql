-- Finds phone numbers by their last digits. users_phone_key finds them by their first digits.
CREATE INDEX users_phone_reversed ON users (reverse(phone)) WHERE phone IS NOT NULL;
