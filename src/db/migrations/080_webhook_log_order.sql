-- Deliveries that were created together are listed in the order of their events.
DROP INDEX webhook_deliveries_listed;
CREATE INDEX webhook_deliveries_listed ON webhook_deliveries (webhook_id, created_at DESC, position DESC, id DESC);
