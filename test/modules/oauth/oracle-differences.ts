import type { OracleRequest } from './oracle-requests.ts'
import type { Answer } from './oracle-sides.ts'

/** The members whose values do not depend on the server. */
const compared = ['active', 'aud', 'client_id', 'expires_in', 'scope', 'token_type']

/** Each difference in one line: `status 401 instead of 400`, `+header etag` (only ours), `-member scope` (only theirs). */
export function differencesOf(ours: Answer, theirs: Answer): string[] {
  const error = ({ json }: Answer) => json?.error ?? 'none'
  const membersOf = ({ json }: Answer) => Object.keys(json ?? {})
  return [
    ...(ours.status === theirs.status ? [] : [`status ${ours.status} instead of ${theirs.status}`]),
    ...(error(ours) === error(theirs) ? [] : [`error ${error(ours)} instead of ${error(theirs)}`]),
    ...compared
      .map((name) => [name, ours.json?.[name], theirs.json?.[name]] as const)
      .filter(([, ours, theirs]) => ours !== undefined && theirs !== undefined && ours !== theirs)
      .map(([name, ours, theirs]) => `${name} ${ours} instead of ${theirs}`),
    ...onlyIn('+header', ours.headers, theirs.headers),
    ...onlyIn('-header', theirs.headers, ours.headers),
    ...onlyIn('+member', membersOf(ours), membersOf(theirs)),
    ...onlyIn('-member', membersOf(theirs), membersOf(ours)),
  ]
}

const onlyIn = (what: string, some: readonly string[], others: readonly string[]): string[] =>
  some.filter((one) => !others.includes(one)).map((one) => `${what} ${one}`)

export interface AllowedDifference {
  reason: string
  lines: RegExp
  /** By default, in every answer. */
  if?(request: OracleRequest, ours: Answer): boolean
}

const isMetadata = ({ endpoint }: OracleRequest): boolean => endpoint === 'metadata'
const isOfMachine = (request: OracleRequest): boolean => !isMetadata(request)
const isRepeated = ({ parameters }: OracleRequest): boolean =>
  new Set(parameters.map(([name]) => name)).size < parameters.length

export const allowedDifferences: Readonly<Record<string, AllowedDifference>> = {
  'security headers': {
    reason: 'Every reply of this service has them.',
    lines: /^\+header (x-content-type-options|referrer-policy|content-security-policy|cross-origin-resource-policy)$/,
  },
  limits: { reason: 'Every reply of this service names its limit.', lines: /^\+header x-ratelimit-\w+$/ },
  'request id': { reason: 'It leads to the log.', lines: /^\+(header x-request-id|member request_id)$/ },
  connection: { reason: 'Our requests use no connection in this test.', lines: /^-header keep-alive$/ },
  'no other origins': {
    reason: 'Machines do not run in browsers.',
    lines: /^-header access-control-/,
    if: isOfMachine,
  },
  'no storing': {
    reason: 'No reply may be stored. RFC 6749, 5.1, demands this of tokens, and errors are not worth an exception.',
    lines: /^\+header cache-control$/,
    if: isOfMachine,
  },
  'cached metadata': {
    reason: 'Clients ask whether the metadata has changed.',
    lines: /^\+header (etag|last-modified|cache-control|access-control-expose-headers)$/,
    if: isMetadata,
  },
  challenge: {
    reason: 'RFC 6749, 5.2, demands the header after Basic.',
    lines: /^\+header www-authenticate$/,
    if: (_, { status }) => status === 401,
  },
  'no authentication': {
    reason: 'RFC 6749, 5.2: invalid_client if there is no authentication, or one that is not supported.',
    lines: /^(status 401 instead of 400|error invalid_client instead of invalid_request)$/,
    if: ({ proof, body }) => body === 'none' || ['none', 'no base64', 'no colon', 'bearer'].includes(proof),
  },
  'unauthorized client': {
    reason: 'RFC 6749, 5.2: unauthorized_client if the client may not use the grant type.',
    lines: /^error unauthorized_client instead of invalid_request$/,
    if: ({ who, parameters }) =>
      who === 'server' || parameters.some(([, value]) => value === 'authorization_code' || value === 'refresh_token'),
  },
  'media type': {
    reason: 'The status says what is wrong. The error is the same.',
    lines: /^status 415 instead of 400$/,
    if: ({ body }) => body === 'json',
  },
  'repeated parameter': {
    reason: 'RFC 6749, 3.2: a repeated parameter makes the request invalid, whatever else is wrong with it.',
    lines: /^(status 400 instead of 401|error invalid_(request|target) instead of \w+|-header www-authenticate)$/,
    if: isRepeated,
  },
  'scope that is missing': {
    reason: 'RFC 6749, 3.3, allows both: an unknown scope is an error here, and is dropped there.',
    lines: /^(status 400 instead of 200|error invalid_scope instead of none|[+-]member \w+)$/,
    if: (_, { json }) => json?.error === 'invalid_scope',
  },
  'scope of a token': {
    reason: 'Without scope, a token has all scopes of the client here, and none there.',
    lines: /^\+member scope$/,
    if: ({ endpoint }, { status }) => status === 200 && (endpoint === 'token' || endpoint === 'introspect'),
  },
  'subject and kind': {
    reason: 'A token without a user has the client as its subject, as in a JWT (RFC 9068, 2.2).',
    lines: /^\+member (sub|kind)$/,
    if: ({ endpoint }) => endpoint === 'introspect',
  },
  'body of a revocation': {
    reason: 'RFC 7009, 2.2: clients ignore it.',
    lines: /^\+member success$/,
    if: ({ endpoint }) => endpoint === 'revoke',
  },
  'token of another client': {
    reason:
      'RFC 7009, 2.1, tells the client. Here it does not learn that the token exists, and the attempt is audited.',
    lines: /^(status 200 instead of 400|error none instead of invalid_request|-member error(_description)?)$/,
    if: ({ endpoint, who, token }) => endpoint === 'revoke' && (who !== 'machine' || token === 'of a stranger'),
  },
  'metadata of other endpoints': {
    reason: 'There, the methods of the token endpoint apply.',
    lines: /^\+member (introspection|revocation)_endpoint_auth_methods_supported$|^\+member service_documentation$/,
    if: isMetadata,
  },
  'metadata that is optional': {
    reason: 'OpenID Connect Discovery, 3, and Initiating User Registration, 3: clients may read it.',
    lines:
      /^\+member (acr_values|backchannel_logout|backchannel_logout_session|prompt_values|request_parameter|ui_locales)_supported$/,
    if: isMetadata,
  },
  'metadata of features that are missing': {
    reason: 'There are no DPoP, no assertions, no pushed requests and no aggregated claims.',
    lines:
      /^-member (claim_types_supported|dpop_signing_alg_values_supported|pushed_authorization_request_endpoint|token_endpoint_auth_signing_alg_values_supported)$/,
    if: isMetadata,
  },
}
