import { isLocal } from '../../../applications/application-set.ts'
import { invalidField } from '../../../lib/errors.ts'
import { isOrigin } from '../../../lib/return-address.ts'
import { problemOfAddress } from './address-problem.ts'

const shownText = (text: string): string => JSON.stringify(text.slice(0, 200))

/** The scheme, host and port of pages that call the token endpoint, as browsers send them. */
export function readAllowedOrigin(text: string): string {
  const url = problemOfAddress(text) === undefined && isOrigin(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'https:' || isLocal(url))) return text
  throw invalidField(
    'allowed_origins',
    `must contain https origins such as https://app.example.com, or http on loopback, which ${shownText(text)} is not`,
  )
}

/** The service calls it when a session ends. */
export function readBackchannelUri(text: string, { isProduction }: { isProduction: boolean }): string {
  const problem = problemOfAddress(text)
  if (problem !== undefined) throw invalidField('backchannel_uri', problem)
  const url = new URL(text)
  if (url.protocol === 'https:' || (!isProduction && isLocal(url))) return text
  throw invalidField('backchannel_uri', isProduction ? 'must be https' : 'must be https, or http on loopback')
}
