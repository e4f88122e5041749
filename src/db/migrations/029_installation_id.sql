-- A fact may have a value, such as the id of the installation.
ALTER TABLE installation_facts ADD COLUMN value text;
