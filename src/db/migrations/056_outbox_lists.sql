-- For the list of messages, newest first, and for the messages that can be sent again.
CREATE INDEX outbox_by_time ON outbox (created_at, id);
CREATE INDEX outbox_failed ON outbox (created_at, id) WHERE status = 'failed';
