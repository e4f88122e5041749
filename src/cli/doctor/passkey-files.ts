import type { Config } from '../../config/load.ts'
import { type DomainFile, domainFiles, domainFileUrl, servesDomainFiles } from '../../passkeys/well-known/files.ts'
import { type DoctorFinding, notice, ok } from './finding.ts'

const about = 'Passkey files'

/** Browsers, Android and iOS read these files, which the service can serve only at the root of its own host. */
export function examinePasskeyFiles(config: Config): DoctorFinding[] {
  const files = domainFiles(config)
  if (files.length === 0) return []
  const { WEBAUTHN_RP_ID: id, PUBLIC_URL } = config
  const addresses = files.map(({ path }) => domainFileUrl(config, path))
  if (PUBLIC_URL === `https://${id}`) return [ok(about, `served at ${addresses.join(', ')}`)]
  if (servesDomainFiles(config)) {
    const reason = `PUBLIC_URL is ${PUBLIC_URL}, but the files are read at the root of https://${id}`
    return [notice(about, `${reason}\nForward these paths to the service, without a redirect: ${pathsOf(files)}`)]
  }
  const contents = files.map(({ content }, at) => `${addresses[at]}\n${JSON.stringify(content)}`)
  const how = `Not checked: https://${id} must serve these files as application/json, without a redirect:`
  return [notice(about, [how, ...contents].join('\n'))]
}

const pathsOf = (files: readonly DomainFile[]): string => files.map(({ path }) => path).join(', ')
