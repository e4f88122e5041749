import type { Mutant } from '../../list.ts'

const test = 'test/packages/server/keys.test.ts'
const src = 'packages/server/src'

export const mutants: Mutant[] = [
  {
    rule: 'a back end reads keys only for rules that permit them',
    file: `${src}/session-token.ts`,
    from: "accepted.includes('api_key') && isKey(value)",
    to: 'isKey(value)',
    test,
  },
  {
    rule: 'a back end reads sessions only for rules that permit them',
    file: `${src}/get-credential.ts`,
    from: "    if (!kinds.includes('session')) throw new WardenryError('INVALID_CREDENTIAL')\n",
    to: '',
    test,
  },
  {
    rule: 'a back end recognizes a key by its checksum, too',
    file: `${src}/key-form.ts`,
    from: 'checksumOf(text.slice(0, -checksumLength)) === text.slice(-checksumLength)',
    to: 'true',
    test,
  },
  {
    rule: 'different keys in one request are no key for a back end',
    file: `${src}/session-token.ts`,
    from: "others.length > 0 || (accepted.includes('session') && hasSession)",
    to: "accepted.includes('session') && hasSession",
    test,
  },
  {
    rule: 'a key and another session in headers are no credential for a back end',
    file: `${src}/session-token.ts`,
    from: "others.length > 0 || (accepted.includes('session') && hasSession)",
    to: 'others.length > 0',
    test,
  },
  {
    rule: 'a rule for recent sign-ins or second factors permits no key',
    file: `${src}/assert-allowed.ts`,
    from: "if (demandsProof && (bearer.kind === 'api_key' || bearer.user === null)) throw new WardenryError('FORBIDDEN')",
    to: '',
    test,
  },
  {
    rule: 'a rule for user types permits no service account',
    file: `${src}/assert-allowed.ts`,
    from: '!(user && userTypes.includes(user.user_type))',
    to: 'user && !userTypes.includes(user.user_type)',
    test,
  },
  {
    rule: 'a back end judges the response for a key itself',
    file: `${src}/assert-allowed.ts`,
    from: '  if (rejection) throw new WardenryError(rejection)\n',
    to: '',
    test,
  },
  {
    rule: 'a rule with scopes demands the permissions of a session',
    file: `${src}/assert-allowed.ts`,
    from: "  if (!scopes.every((scope) => can(validated, scope))) throw new WardenryError('INSUFFICIENT_SCOPE')\n",
    to: '',
    test,
  },
  {
    rule: 'a key with networks needs the address of the visitor of a back end',
    file: `${src}/judge-bearer.ts`,
    from: "if (address === undefined || address === '') return false",
    to: "if (address === undefined || address === '') return true",
    test,
  },
  {
    rule: 'a key whose owners a back end cannot read is not accepted',
    file: `${src}/read-bearer.ts`,
    from: '!isValidated(value) || !isListOfText(owners)',
    to: '!isValidated(value) || !Array.isArray(owners)',
    test,
  },
  {
    rule: 'a key that a back end cannot read completely is not accepted',
    file: `${src}/read-bearer.ts`,
    from: "typeof value.key?.id === 'string' && isListOfText(value.key.ip_ranges)",
    to: "typeof value.key?.id === 'string'",
    test,
  },
  {
    rule: 'a rule with scopes names a kind that has them',
    file: `${src}/rule.ts`,
    from: "if (kinds.every((one) => one === 'session')) return [\"scopes requires kinds with 'api_key' or 'token'\"]",
    to: '',
    test: 'test/packages/server/rules.test.ts',
  },
]
