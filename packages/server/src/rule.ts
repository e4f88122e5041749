import { flag, kind, listOfText, type Members, problemsOf, textLike, wholeNumber } from './check-options.ts'
import type { CredentialKind } from './credential.ts'

/** Restricts the permitted users and sessions. */
export interface Rule {
  /** The permitted `user_type`s. Default: all. */
  userTypes?: readonly string[]
  /**
   * The maximum age of the last authentication in seconds, at least 30. Users whose authentication is older must
   * authenticate again.
   */
  maxAge?: number
  /** Permits only sessions verified with a second factor or a passkey. */
  twoFactor?: boolean
  /** Permits only users with this permission, such as `invoices:write`. */
  permission?: string
  /**
   * Permits only users with this role: its key, such as `accountant`. With a bridge secret of the service's settings,
   * the key follows that of its application, such as `billing:accountant`.
   */
  role?: string
}

/** Permits other credentials than sessions. */
export interface CredentialRule extends Rule {
  /**
   * The permitted kinds: `session`, and `api_key` and `token` for API keys and OAuth access tokens in
   * `Authorization: Bearer`, which decide even if the request contains a cookie.
   */
  kinds: readonly CredentialKind[]
  /** The scopes that a key or token must have, all of them. A session must have the permissions with the same names. */
  scopes?: readonly string[]
  /**
   * The identifier of this API in the service, such as `https://api.example.com`. Required with `token`: tokens for other
   * APIs are rejected.
   */
  resource?: string
}

/** The options of `credentialOf`. */
export type CredentialOptions = Partial<Pick<CredentialRule, 'resource'>>

/** A rule that was checked. */
export type CheckedRule = Rule & Partial<Pick<CredentialRule, 'kinds' | 'scopes' | 'resource'>>

/** In seconds. A shorter time could elapse during the sign-in itself. */
export const minMaxAge = 30

export const maxAgeKind = wholeNumber(minMaxAge, ' of seconds')

/** A pattern such as `invoices:*` is no permission, so no user would have it. */
const permissionKind = textLike(
  'a permission, such as invoices:write',
  /^(?=.{1,80}$)[a-z][a-z0-9_-]*(?::[a-z0-9_-]+){1,3}$/,
)

const roleKind = textLike(
  'the key of a role, such as accountant or billing:accountant',
  /^(?:[a-z0-9_-]{1,80}:)?[a-z][a-z0-9_-]{1,39}$/,
)

const kinds: readonly unknown[] = ['session', 'api_key', 'token'] satisfies CredentialKind[]

const kindsKind = kind(
  "an array of 'session', 'api_key' and 'token'",
  (value) => listOfText.accepts(value) && (value as []).length > 0 && (value as []).every((one) => kinds.includes(one)),
)

const scopesKind = kind(
  'an array of scopes, such as invoices:write, at most 200',
  (value) =>
    listOfText.accepts(value) &&
    (value as string[]).every((scope) => /^[a-z][a-z0-9_:-]{0,99}$/.test(scope)) &&
    (value as []).length > 0 &&
    (value as []).length <= 200,
)

/** The service compares it with the registered identifiers, so it need not be a URL that can be opened. */
const resourceKind = textLike(
  'the identifier of an API, such as https://api.example.com',
  /^(?=.{1,500}$)[a-z][a-z0-9+.-]*:[\x21\x24-\x7e]*$/i,
)

const members: Members<CheckedRule> = {
  userTypes: listOfText,
  maxAge: maxAgeKind,
  twoFactor: flag,
  permission: permissionKind,
  role: roleKind,
  kinds: kindsKind,
  scopes: scopesKind,
  resource: resourceKind,
}

/** Permits every signed-in user. */
const anyUser: CheckedRule = Object.freeze({})

const read = new WeakSet<CheckedRule>([anyUser])

/**
 * The rule among the arguments that follow a request or an application, as a copy that cannot change. Without an
 * argument, it permits every signed-in user. Throws a TypeError if the rule could permit more than its author intended:
 * if it is undefined, is not the only argument, or has an unknown member or one of the wrong type.
 */
export function ruleOf(given: readonly unknown[]): CheckedRule {
  if (given.length === 0) return anyUser
  const [rule] = given as CheckedRule[]
  if (given.length > 1) throw new TypeError('Wardenry: pass one rule; it may have several members')
  if (rule === undefined) throw new TypeError('Wardenry: the rule is undefined; omit it to permit every signed-in user')
  if (read.has(rule)) return rule
  const copy = copyOf(rule)
  const found = problemsOf(copy, members, { rejectUndefined: true })
  const problems = found.length > 0 ? found : [...problemsOfScopes(copy), ...problemsOfResource(copy)]
  if (problems.length > 0) throw new TypeError(`Wardenry: in the rule, ${problems.join('; ')}`)
  read.add(Object.freeze(copy))
  return copy
}

/** Throws a TypeError for an option that is misspelt or undefined. */
export function checkedCredentialOptions(options: CredentialOptions): CredentialOptions {
  const problems = problemsOf<CredentialOptions>(options, { resource: resourceKind }, { rejectUndefined: true })
  if (problems.length > 0) throw new TypeError(`Wardenry: in credentialOf, ${problems.join('; ')}`)
  return options
}

/** A session has no scopes of the service's own API, so no session would satisfy such a rule. */
function problemsOfScopes({ kinds = ['session'], scopes }: CheckedRule): string[] {
  if (!scopes) return []
  if (kinds.every((one) => one === 'session')) return ["scopes requires kinds with 'api_key' or 'token'"]
  const own = scopes.find((scope) => scope.startsWith('wardenry:'))
  return own && kinds.includes('session') ? [`sessions have no scope ${own}; leave 'session' out of kinds`] : []
}

/** Without it, a token that was issued for another API would open this one. */
function problemsOfResource({ kinds = [], resource }: CheckedRule): string[] {
  if (kinds.includes('token') === (resource !== undefined)) return []
  return [
    resource === undefined
      ? "kinds with 'token' requires resource, the identifier of this API"
      : "resource requires kinds with 'token'",
  ]
}

/** Includes inherited members, which spreading would leave out. Returns anything but an object unchanged. */
function copyOf(rule: CheckedRule): CheckedRule {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule)) return rule
  const copy: Record<string, unknown> = {}
  for (const name in rule) {
    const value = rule[name as keyof CheckedRule]
    copy[name] = Array.isArray(value) ? Object.freeze([...value]) : value
  }
  return copy
}
