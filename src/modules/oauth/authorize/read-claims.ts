import type { RequestedClaims } from '../grant-rows.ts'
import { claimNames } from '../userinfo/claim-names.ts'

interface ReadClaims {
  /** The known names. Others are ignored. */
  requested: RequestedClaims
  /** The values of `acr` for the ID token. */
  acrs: readonly unknown[]
  isAcrEssential: boolean
  /** The user who must sign in. */
  subject: string | null
}

const maxLength = 4_096
const none: ReadClaims = { requested: {}, acrs: [], isAcrEssential: false, subject: null }

/** The parameter `claims` (OpenID Connect Core, 5.5). Undefined if it is malformed. */
export function readClaims(text: string | undefined): ReadClaims | undefined {
  if (text === undefined) return none
  const value = text.length <= maxLength ? objectIn(text) : undefined
  if (!value) return undefined
  const [idToken, userinfo] = [membersOf(value.id_token), membersOf(value.userinfo)]
  if (!idToken || !userinfo) return undefined
  const acr = membersOf(idToken.acr) ?? {}
  const sub = membersOf(idToken.sub)?.value
  return {
    requested: { ...named('id_token', idToken), ...named('userinfo', userinfo) },
    acrs: Array.isArray(acr.values) ? acr.values : [acr.value],
    isAcrEssential: acr.essential === true,
    subject: typeof sub === 'string' ? sub : null,
  }
}

function named(member: keyof RequestedClaims, claims: Record<string, unknown>): RequestedClaims {
  const known = claimNames.filter((name) => Object.hasOwn(claims, name))
  return known.length > 0 ? { [member]: known } : {}
}

function objectIn(text: string): Record<string, unknown> | undefined {
  try {
    return membersOf(JSON.parse(text) ?? undefined)
  } catch {
    return undefined
  }
}

/** Null requests a claim in the default manner, so it counts as an object without members. */
function membersOf(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {}
  return typeof value === 'object' && !Array.isArray(value) ? { ...value } : undefined
}
