import { duration, integer } from '../kinds.ts'
import { storage } from '../storage.ts'

export const dataSettings = {
  STORAGE_URL: storage('where pictures are stored: a folder in DATA_DIR, a bucket in an S3-compatible store, or off'),
  UPLOAD_MAX_BYTES: integer(10485760, 1024, 52428800, 'maximum size of an uploaded picture, in bytes'),
  DELETED_RETENTION: duration(
    '30d',
    '1d',
    '3650d',
    'time for which a deleted user can be restored, before the data is erased',
  ),
  AUDIT_RETENTION: duration('365d', '1d', '3650d', 'time after which audit events are deleted'),
  AUDIT_IP_FULL: duration('30d', '1d', '3650d', 'time after which the IP addresses in audit events are shortened'),
} as const
