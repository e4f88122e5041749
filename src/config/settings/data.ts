import { duration, integer } from '../kinds.ts'
import { storage } from '../storage.ts'

export const dataSettings = {
  STORAGE_URL: storage('where to store pictures: a folder in DATA_DIR, a bucket in an S3-compatible store, or off'),
  UPLOAD_MAX_BYTES: integer(10485760, 1024, 52428800, 'maximum size of an uploaded picture in bytes'),
  DELETED_RETENTION: duration(
    '30d',
    '1d',
    '3650d',
    'how long a deleted user can be restored before the data is erased',
  ),
  AUDIT_RETENTION: duration('365d', '1d', '3650d', 'how long audit events are kept'),
  AUDIT_IP_FULL: duration('30d', '1d', '3650d', 'age at which IP addresses in audit events are shortened'),
  EVENT_RETENTION: duration(
    '30d',
    '7d',
    '365d',
    'how long events for back ends and the log of their deliveries are kept',
  ),
} as const
