import { duration, integer, optionalText } from '../kinds.ts'
import { storage } from '../storage.ts'

export const data = {
  STORAGE_URL: storage(
    'where pictures are kept: a folder in DATA_DIR, a bucket of any S3-compatible store, or nowhere',
  ),
  UPLOAD_MAX_BYTES: integer(10485760, 1024, 52428800, 'largest picture that may be uploaded'),
  GDPR_CONSENT_VERSION: optionalText('version of your terms that a consent without one accepts', {
    check: (value) => (/^[^\p{C}]{1,32}$/u.test(value) ? undefined : 'must be one line of at most 32 characters'),
  }),
  PRIVACY_DELETION_GRACE: duration('14d', '0s', '90d', 'from a request for deletion to the deletion; 0s: at once'),
  DELETED_RETENTION: duration('30d', '1d', '3650d', 'how long a deleted user can be restored; then it is erased'),
  AUDIT_RETENTION: duration('365d', '1d', '3650d', 'how long audit events are kept'),
  AUDIT_IP_FULL: duration('30d', '1d', '3650d', 'after this time addresses in audit events are truncated'),
} as const
