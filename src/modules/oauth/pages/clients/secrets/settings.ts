import { shellQuoted } from '../../../../../lib/shell-quoted.ts'
import { isUserClient } from '../../../clients/sign-in-input.ts'
import { firstAccess } from '../../../samples/print-sample.ts'
import type { ShownClient, ShownResource } from '../../paths.ts'
import type { OAuthTexts } from '../../texts.ts'

interface Place {
  publicUrl: string
  client: ShownClient
  resources: readonly ShownResource[]
  /** A secret that was just created. */
  secret: string | undefined
}

export interface SettingsBlock {
  id: string
  title: string
  text: string
}

/** The settings of the program that uses the client, and a request to try them, which contains no secret. */
export function clientSettings(texts: OAuthTexts['secrets'], place: Place): SettingsBlock[] {
  const isMachine = place.client.type === 'machine'
  const environment = { id: 'environment', title: texts.environment, text: environmentOf(texts, place) }
  // Users sign in with a browser.
  if (isUserClient(place.client.type)) return [environment]
  return [
    environment,
    isMachine
      ? { id: 'request', title: texts.request, text: tokenRequest(place) }
      : { id: 'request', title: texts.check, text: introspection(place) },
  ]
}

function environmentOf(texts: OAuthTexts['secrets'], place: Place): string {
  const { publicUrl, client, secret } = place
  const isMachine = client.type === 'machine'
  const access = firstAccess(client, place.resources)
  const { resource } = access
  const scope = isUserClient(client.type) ? client.scopes.join(' ') : access.scope
  const lines = {
    OAUTH_ISSUER: publicUrl,
    ...(!isUserClient(client.type) && {
      [isMachine ? 'OAUTH_TOKEN_URL' : 'OAUTH_INTROSPECTION_URL']: endpointOf(place),
    }),
    OAUTH_CLIENT_ID: client.client_id,
    CLIENT_SECRET: client.auth_method === 'none' ? undefined : (secret ?? texts.paste),
    OAUTH_RESOURCE: resource?.identifier,
    OAUTH_REDIRECT_URI: client.redirect_uris[0],
    OAUTH_SCOPE: isMachine || isUserClient(client.type) ? scope : undefined,
  }
  return Object.entries(lines)
    .flatMap(([name, value]) => (value ? [`${name}=${shellQuoted(value)}`] : []))
    .join('\n')
}

const endpointOf = ({ publicUrl, client }: Place): string =>
  `${publicUrl}/oauth/${client.type === 'machine' ? 'token' : 'introspect'}`

function tokenRequest(place: Place): string {
  const { resource, scope } = firstAccess(place.client, place.resources)
  return curl(place, { grant_type: 'client_credentials', scope: scope || undefined, resource: resource?.identifier })
}

const introspection = (place: Place): string => curl(place, { token: 'wat_…' })

function curl(place: Place, parameters: Readonly<Record<string, string | undefined>>): string {
  const data = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [`--data-urlencode ${shellQuoted(`${name}=${value}`)}`],
  )
  // Client identifiers contain nothing that a shell would interpret.
  const user = `-u "${place.client.client_id}:$CLIENT_SECRET"`
  return [`curl -s ${shellQuoted(endpointOf(place))} ${user}`, ...data].join(' \\\n  ')
}
