import { shellQuoted } from '../../../../../lib/shell-quoted.ts'
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
  return [
    { id: 'environment', title: texts.environment, text: environmentOf(texts, place) },
    isMachine
      ? { id: 'request', title: texts.request, text: tokenRequest(place) }
      : { id: 'request', title: texts.check, text: introspection(place) },
  ]
}

function environmentOf(texts: OAuthTexts['secrets'], place: Place): string {
  const { publicUrl, client, secret } = place
  const isMachine = client.type === 'machine'
  const lines = {
    OAUTH_ISSUER: publicUrl,
    [isMachine ? 'OAUTH_TOKEN_URL' : 'OAUTH_INTROSPECTION_URL']: endpointOf(place),
    OAUTH_CLIENT_ID: client.client_id,
    CLIENT_SECRET: secret ?? texts.paste,
    OAUTH_RESOURCE: firstResource(place),
    OAUTH_SCOPE: isMachine ? scopeOf(place) : undefined,
  }
  return Object.entries(lines)
    .flatMap(([name, value]) => (value ? [`${name}=${shellQuoted(value)}`] : []))
    .join('\n')
}

const endpointOf = ({ publicUrl, client }: Place): string =>
  `${publicUrl}/oauth/${client.type === 'machine' ? 'token' : 'introspect'}`

const firstResource = ({ client, resources }: Place): string | undefined =>
  resources.find(({ id }) => id === client.resources[0])?.identifier

/** The scopes that the client has at its first API. Without an API, all. */
function scopeOf({ client, resources }: Place): string {
  const first = resources.find(({ id }) => id === client.resources[0])
  return client.scopes.filter((scope) => !first || first.scopes.includes(scope)).join(' ')
}

function tokenRequest(place: Place): string {
  const parameters = {
    grant_type: 'client_credentials',
    scope: scopeOf(place) || undefined,
    resource: firstResource(place),
  }
  return curl(place, parameters)
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
