import { decodeKey } from '../../../config/decode-key.ts'
import type { Config } from '../../../config/load.ts'
import type { Db } from '../../../db/tables.ts'
import type { ModuleFinding } from '../../../hub/define-module.ts'
import { tryUnseal } from '../../../lib/seal.ts'
import { hour, iso } from '../../../lib/time.ts'
import type { SigningKeyRow } from '../directory-queries.ts'
import { signingAlgs } from '../rows.ts'
import { liveKeys, rotationOf } from './key-life.ts'
import { countEnabledClients, findAlgsInUse, findSigningKeys } from './key-queries.ts'

const about = 'Signing keys'

/** The job runs every ten minutes. A key that is late by more has not been looked after. */
const tolerance = hour

export async function examineKeys(db: Db, config: Config): Promise<ModuleFinding> {
  const rows = await findSigningKeys(db)
  const [now, inUse] = [Date.now(), await findAlgsInUse(db, config)]
  const problems = [...unsealable(rows, config), ...overdue(rows, now, config)]
  if (problems.length > 0) return { state: 'problem', about, text: problems.join('\n') }
  const current = rows.filter(({ status }) => status === 'current')
  const missing = [...inUse].filter((alg) => !current.some((row) => row.alg === alg))
  if (missing.length > 0 && (await countEnabledClients(db)) > 0) {
    const text = `no key for ${missing.join(', ')}, although clients are enabled: a running service creates it within ten minutes`
    return { state: 'notice', about, text }
  }
  const lines = current.map(({ alg, active_from }) => `${alg} since ${iso(active_from)}`)
  return { state: 'ok', about, text: lines.join(', ') || 'none yet: the first token creates one' }
}

function unsealable(rows: readonly SigningKeyRow[], { DATA_KEYS }: Config): string[] {
  const dataKeys = DATA_KEYS.map(({ name, value }) => ({ id: name, key: decodeKey(value) ?? Buffer.alloc(0) }))
  return rows
    .filter(({ status }) => status === 'current' || status === 'next')
    .filter(({ sealed_private }) => tryUnseal(dataKeys, sealed_private) === undefined)
    .map(
      ({ alg, kid }) =>
        `the ${alg} key ${kid} cannot be decrypted with DATA_KEYS: add the former data key, or replace the signing key ` +
        `with "wardenry oauth keys-rotate --alg ${alg} --compromised"`,
    )
}

function overdue(rows: readonly SigningKeyRow[], now: number, config: Config): string[] {
  return signingAlgs.flatMap((alg) => {
    const { current, next } = liveKeys(rows, alg)
    if (!current) return []
    const due = next ? next.active_from.getTime() : rotationOf(current, config)
    if (now <= due + tolerance) return []
    return [`the ${alg} key was due to be replaced at ${iso(due)}: a running service replaces it within ten minutes`]
  })
}
