import { duration, optionalText, type SettingValues } from '../../config/kinds.ts'

export const privacySettings = {
  GDPR_CONSENT_VERSION: optionalText('version of your terms that is recorded for a consent without a version', {
    check: (value) => (/^[^\p{C}]{1,32}$/u.test(value) ? undefined : 'must be one line of at most 32 characters'),
  }),
  PRIVACY_DELETION_GRACE: duration(
    '14d',
    '0s',
    '90d',
    'time between a deletion request and the deletion; 0s: immediately',
  ),
} as const

type PrivacySettings = SettingValues<typeof privacySettings>

declare module '../../config/load.ts' {
  interface Config extends PrivacySettings {}
}
