-- The id of the sign-in flow of our own pages that a visit to a provider belongs to. It is fixed when the visit begins;
-- what the flow asks for is kept by the browser.
ALTER TABLE social_flows ADD COLUMN sign_in_flow text COLLATE "C";
