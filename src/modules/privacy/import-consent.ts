import type { ImportMember } from '../../context.ts'
import { invalidField } from '../../lib/errors.ts'
import { iso } from '../../lib/time.ts'
import { timeField } from '../../lib/time-field.ts'
import { findStatuses, writeImportedStatus } from './queries.ts'
import { type PrivacyRegion, type PrivacyStatus, regions } from './status.ts'

interface ImportedStatus {
  privacy_region?: string
  gdpr_consent?: boolean
  gdpr_consent_at?: string | null
  gdpr_consent_version?: string | null
  ccpa_applies?: boolean
  ccpa_opt_out?: boolean
  ccpa_opt_out_at?: string | null
}

/** The history of the previous system is not imported. */
export const importedConsent: ImportMember = {
  name: 'consent',
  check: (_ctx, value) => void statusOf(value as ImportedStatus),
  write: async (tx, values) => {
    const rows = values.map(({ user, value }) => ({ id: user.id, ...statusOf(value as ImportedStatus) }))
    await writeImportedStatus(tx.db, rows)
  },
  read: async ({ db }, ids) => {
    const rows = await findStatuses(db, ids)
    return new Map(rows.filter(isSet).map(({ id, ...status }) => [id, shown(status)]))
  },
}

function statusOf(given: ImportedStatus): PrivacyStatus {
  const region = given.privacy_region ?? 'global'
  if (!regions.some((one) => one === region))
    throw invalidField('consent.privacy_region', `must be one of ${regions.join(', ')}`)
  const version = given.gdpr_consent_version ?? null
  if (version !== null && !/^[^\p{C}]{1,32}$/u.test(version))
    throw invalidField('consent.gdpr_consent_version', 'must be one line of at most 32 characters')
  return {
    privacy_region: region as PrivacyRegion,
    gdpr_consent: given.gdpr_consent === true,
    gdpr_consent_at: timeField('consent.gdpr_consent_at', given.gdpr_consent_at) ?? null,
    gdpr_consent_version: version,
    ccpa_applies: given.ccpa_applies ?? (region === 'ca' || region === 'eu_ca'),
    ccpa_opt_out: given.ccpa_opt_out === true,
    ccpa_opt_out_at: timeField('consent.ccpa_opt_out_at', given.ccpa_opt_out_at) ?? null,
  }
}

const isSet = (status: PrivacyStatus): boolean =>
  status.privacy_region !== 'global' || status.gdpr_consent || status.gdpr_consent_at !== null || status.ccpa_opt_out

const shown = ({ gdpr_consent_at, ccpa_opt_out_at, ...status }: PrivacyStatus) => ({
  ...status,
  gdpr_consent_at: gdpr_consent_at && iso(gdpr_consent_at),
  ccpa_opt_out_at: ccpa_opt_out_at && iso(ccpa_opt_out_at),
})
