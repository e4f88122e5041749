import { bool, duration } from '../kinds.ts'

export const webhookSettings = {
  WEBHOOKS_ALLOW_PRIVATE: bool(
    false,
    'allow webhooks with plain HTTP, and with loopback, private and link-local addresses',
  ),
  EVENT_RETENTION: duration('30d', '1d', '365d', 'how long events and the log of their deliveries are kept'),
} as const
