import { AppError, type FieldProblem } from '../../lib/errors.ts'

export const regions = ['eu', 'ca', 'eu_ca', 'global'] as const
export type PrivacyRegion = (typeof regions)[number]

export interface PrivacyStatus {
  privacy_region: PrivacyRegion
  gdpr_consent: boolean
  gdpr_consent_at: Date | null
  gdpr_consent_version: string | null
  ccpa_applies: boolean
  ccpa_opt_out: boolean
  ccpa_opt_out_at: Date | null
}

export interface PrivacyStatusInput {
  gdpr_consent?: boolean
  gdpr_consent_version?: string
  ccpa_opt_out?: boolean
  privacy_region?: PrivacyRegion
  ccpa_applies?: boolean
}

export interface StatusChange {
  member: 'gdpr_consent' | 'ccpa_opt_out' | 'privacy_region'
  event: 'gdpr_consent_given' | 'gdpr_consent_withdrawn' | 'ccpa_opted_out' | 'ccpa_opted_in' | 'region_changed'
  old_value: string
  new_value: string
  version: string | null
}

interface StatusContext {
  now: Date
  /** The policy version recorded for a consent if the request does not specify one. */
  currentVersion: string | undefined
}

export function planStatus(
  present: PrivacyStatus,
  requested: PrivacyStatusInput,
  { now, currentVersion }: StatusContext,
): { status: PrivacyStatus; changes: StatusChange[] } {
  const region = requested.privacy_region ?? present.privacy_region
  const version = requested.gdpr_consent_version ?? currentVersion
  assertPossible(requested, region, version)
  const status = { ...present, privacy_region: region, ccpa_applies: appliesIn(region) }
  const changes: StatusChange[] = []
  if (region !== present.privacy_region) {
    const values = { old_value: present.privacy_region, new_value: region, version: null }
    changes.push({ member: 'privacy_region', event: 'region_changed', ...values })
  }
  if (requested.gdpr_consent === true && version !== undefined) {
    if (!present.gdpr_consent || present.gdpr_consent_version !== version) {
      const values = { old_value: String(present.gdpr_consent), new_value: 'true', version }
      changes.push({ member: 'gdpr_consent', event: 'gdpr_consent_given', ...values })
      Object.assign(status, { gdpr_consent: true, gdpr_consent_at: now, gdpr_consent_version: version })
    }
  }
  if (requested.gdpr_consent === false && present.gdpr_consent) {
    const values = { old_value: 'true', new_value: 'false', version: present.gdpr_consent_version }
    changes.push({ member: 'gdpr_consent', event: 'gdpr_consent_withdrawn', ...values })
    Object.assign(status, { gdpr_consent: false, gdpr_consent_at: now })
  }
  if (requested.ccpa_opt_out !== undefined && requested.ccpa_opt_out !== present.ccpa_opt_out) {
    const [event, at] = requested.ccpa_opt_out ? (['ccpa_opted_out', now] as const) : (['ccpa_opted_in', null] as const)
    const values = { old_value: String(present.ccpa_opt_out), new_value: String(requested.ccpa_opt_out), version: null }
    changes.push({ member: 'ccpa_opt_out', event, ...values })
    Object.assign(status, { ccpa_opt_out: requested.ccpa_opt_out, ccpa_opt_out_at: at })
  }
  return { status, changes }
}

/** Returns whether the California Consumer Privacy Act applies. */
const appliesIn = (region: PrivacyRegion): boolean => region === 'ca' || region === 'eu_ca'

function assertPossible(requested: PrivacyStatusInput, region: PrivacyRegion, version: string | undefined): void {
  const details: FieldProblem[] = []
  if (Object.values(requested).every((value) => value === undefined))
    details.push({ field: 'body', message: 'must contain at least one member that can be changed' })
  if (requested.gdpr_consent_version !== undefined && requested.gdpr_consent !== true)
    details.push({ field: 'gdpr_consent_version', message: 'requires gdpr_consent: true in the same request' })
  if (requested.gdpr_consent === true && version === undefined)
    details.push({ field: 'gdpr_consent_version', message: 'is required for a consent' })
  if (requested.ccpa_applies !== undefined && requested.ccpa_applies !== appliesIn(region))
    details.push({ field: 'ccpa_applies', message: `must be ${appliesIn(region)} for the privacy_region "${region}"` })
  if (details.length > 0) throw new AppError('VALIDATION_ERROR', { details })
}
