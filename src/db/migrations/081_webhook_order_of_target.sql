-- Finds earlier deliveries about a user by the user alone. While statistics are out of date, the planner assumed that a
-- webhook has few waiting deliveries, and read all of them for each row.
DROP INDEX webhook_deliveries_of_target;
CREATE INDEX webhook_deliveries_of_target ON webhook_deliveries (target_id, position)
  WHERE status = 'waiting' AND target_id IS NOT NULL;
