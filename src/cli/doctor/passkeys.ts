import type { Config } from '../../config/load.ts'
import { canOriginUsePasskeys, sharedParentDomain } from '../../config/passkeys.ts'
import type { Db } from '../../db/tables.ts'
import { findLostPasskeys, isRelyingPartyGiven, lostPasskeysText } from '../../webauthn/former-relying-party.ts'
import { countAllPasskeys } from '../../webauthn/relying-party-queries.ts'
import { type DoctorFinding, notice, ok, problem } from './finding.ts'

const about = 'Passkeys'

export async function examinePasskeys(db: Db, config: Config): Promise<DoctorFinding> {
  const lost = await findLostPasskeys(db, config)
  if (!lost) return examinePasskeyDomain(config, await countAllPasskeys(db))
  if (!isRelyingPartyGiven(config)) return problem(about, `${lostPasskeysText(lost, config)}.`)
  const created = `${lost.count} passkeys, of which the last was created for ${lost.formerId}`
  return notice(about, `${created}, do not work while WEBAUTHN_RP_ID is ${config.WEBAUTHN_RP_ID}.`)
}

/** Without a database, there are no passkeys yet. */
export function examinePasskeyDomain(config: Config, count = 0): DoctorFinding {
  const { PUBLIC_URL, FRONTEND_URL, WEBAUTHN_RP_ID: id } = config
  if (!config.PASSKEYS_ENABLED) return ok(about, 'PASSKEYS_ENABLED is false')
  if (!canOriginUsePasskeys(config, new URL(PUBLIC_URL).origin)) {
    const need = 'Browsers need an https address with a domain, or http://localhost.'
    return notice(about, `not available on the pages of the service, because PUBLIC_URL is ${PUBLIC_URL}. ${need}`)
  }
  const parent = count === 0 ? sharedParentDomain(config) : undefined
  if (parent === undefined) return ok(about, `for ${id}; ${count === 1 ? '1 passkey' : `${count} passkeys`}`)
  const choice = `Set WEBAUTHN_RP_ID=${parent} before the first passkey is created, or WEBAUTHN_RP_ID=${id} if only the pages of the service use passkeys. A later change invalidates all passkeys.`
  return notice(
    about,
    `for ${id}, the host of PUBLIC_URL, so pages on ${new URL(FRONTEND_URL).hostname} cannot use them\n${choice}`,
  )
}
