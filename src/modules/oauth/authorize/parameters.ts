import type { StoredParameters } from '../grant-rows.ts'
import { scopesIn } from '../token/scopes.ts'
import { readClaims } from './read-claims.ts'

/** As they are sent. Empty values count as absent (RFC 6749, 3.1). */
export type SentParameters = Readonly<Record<string, string | undefined>>

/** An error of RFC 6749, 4.1.2.1, and OpenID Connect Core, 3.1.2.6. */
export interface AuthorizationError {
  error: string
  /** Never repeats input. */
  description: string
}

/** The parameters that are checked without looking anything up. */
export type ReadParameters = Omit<StoredParameters, 'redirect_uri' | 'resource' | 'subject'> & {
  /** The identifier that was sent. */
  resource: string | undefined
  idTokenHint: string | undefined
  /** From `claims`. */
  subject: string | null
}

const prompts = ['none', 'login', 'consent', 'select_account', 'create']

/** The acr of a session that a second factor confirmed. */
export const mfaAcr = 'urn:wardenry:acr:mfa'
const isMfa = (value: unknown): boolean => value === mfaAcr || value === 'mfa'

const challengeForm = /^[A-Za-z0-9_-]{43}$/
const printable = /^[\x20-\x7e]{1,1024}$/

export const responseModeOf = ({ response_mode }: SentParameters): 'query' | 'form_post' =>
  response_mode === 'form_post' ? 'form_post' : 'query'

/** Undefined if it must not be returned. */
export const sentStateOf = ({ state }: SentParameters): string | undefined =>
  state !== undefined && printable.test(state) ? state : undefined

export function readParameters(
  sent: SentParameters,
  { requiresPkce }: { requiresPkce: boolean },
): ReadParameters | AuthorizationError {
  const problem = findProblem(sent, requiresPkce)
  if (problem) return problem
  const claims = readClaims(sent.claims)
  if (!claims) return invalid('claims must be a JSON object of at most 4096 characters')
  const acrs = [...scopesIn(sent.acr_values), ...claims.acrs]
  return {
    response_mode: responseModeOf(sent),
    scopes: scopesIn(sent.scope),
    resource: sent.resource,
    state: sent.state ?? null,
    nonce: sent.nonce ?? null,
    code_challenge: sent.code_challenge ?? null,
    prompts: scopesIn(sent.prompt),
    max_age: sent.max_age === undefined ? null : Number(sent.max_age),
    wants_mfa: acrs.some(isMfa),
    needs_mfa: claims.isAcrEssential && claims.acrs.some(isMfa),
    login_hint: sent.login_hint ?? null,
    ui_locales: scopesIn(sent.ui_locales).slice(0, 10),
    idTokenHint: sent.id_token_hint,
    subject: claims.subject,
    claims: claims.requested,
  }
}

const invalid = (description: string): AuthorizationError => ({ error: 'invalid_request', description })

/** Each rule and what to say if it is broken. */
function findProblem(sent: SentParameters, requiresPkce: boolean): AuthorizationError | undefined {
  if (sent.request !== undefined)
    return { error: 'request_not_supported', description: 'Send the parameters without a request object' }
  if (sent.request_uri !== undefined)
    return { error: 'request_uri_not_supported', description: 'Send the parameters without request_uri' }
  if (sent.registration !== undefined)
    return { error: 'registration_not_supported', description: 'Clients are registered by administrators' }
  if (sent.response_type !== undefined && sent.response_type !== 'code')
    return { error: 'unsupported_response_type', description: 'response_type must be code' }
  const { code_challenge: challenge, code_challenge_method: method, prompt, login_hint } = sent
  const asked = scopesIn(prompt)
  const rules: [boolean, string][] = [
    [sent.response_type === 'code', 'response_type is required'],
    [isOneOf(sent.response_mode, ['query', 'form_post']), 'response_mode must be query or form_post'],
    [sent.state === undefined || printable.test(sent.state), 'state must have at most 1024 printable characters'],
    [sent.nonce === undefined || sent.nonce.length <= 512, 'nonce must have at most 512 characters'],
    [challenge !== undefined || !requiresPkce, 'code_challenge is required (PKCE)'],
    [challenge === undefined || challengeForm.test(challenge), 'code_challenge must have 43 base64url characters'],
    [challenge === undefined ? method === undefined : method === 'S256', 'code_challenge_method must be S256'],
    [asked.every((one) => prompts.includes(one)), `prompt must contain ${prompts.join(', ')}`],
    [!asked.includes('none') || asked.length === 1, 'prompt must not combine none with other values'],
    [sent.max_age === undefined || isAge(sent.max_age), 'max_age must be a number of seconds'],
    [login_hint === undefined || isHint(login_hint), 'login_hint must have at most 254 characters on one line'],
    [(sent.ui_locales ?? '').length <= 200, 'ui_locales must have at most 200 characters'],
    [(sent.acr_values ?? '').length <= 1_000, 'acr_values must have at most 1000 characters'],
    [(sent.id_token_hint ?? '').length <= 8_192, 'id_token_hint must have at most 8192 characters'],
    [(sent.scope ?? '').length <= 20_000, 'scope must have at most 20000 characters'],
  ]
  const broken = rules.find(([holds]) => !holds)
  return broken && invalid(broken[1])
}

const isOneOf = (value: string | undefined, allowed: readonly string[]): boolean =>
  value === undefined || allowed.includes(value)

const isAge = (text: string): boolean => /^\d{1,10}$/.test(text) && Number(text) <= 1_000_000_000

const isHint = (text: string): boolean => text.length <= 254 && !/\p{C}/u.test(text)
