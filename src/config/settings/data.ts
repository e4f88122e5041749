import { duration, integer, optionalText } from '../kinds.ts'
import { storage } from '../storage.ts'

export const data = {
  STORAGE_URL: storage('where pictures are stored: a folder in DATA_DIR, a bucket of an S3-compatible store, or off'),
  UPLOAD_MAX_BYTES: integer(10485760, 1024, 52428800, 'maximum size of an uploaded picture'),
  GDPR_CONSENT_VERSION: optionalText('version of your terms that is recorded for a consent without a version', {
    check: (value) => (/^[^\p{C}]{1,32}$/u.test(value) ? undefined : 'must be one line of at most 32 characters'),
  }),
  PRIVACY_DELETION_GRACE: duration(
    '14d',
    '0s',
    '90d',
    'time between a deletion request and the deletion; 0s: immediately',
  ),
  DELETED_RETENTION: duration(
    '30d',
    '1d',
    '3650d',
    'how long a deleted user can be restored before the data is erased',
  ),
  AUDIT_RETENTION: duration('365d', '1d', '3650d', 'how long audit events are kept'),
  AUDIT_IP_FULL: duration('30d', '1d', '3650d', 'how long audit events keep the full network address'),
} as const
