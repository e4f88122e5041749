import type { Mutant } from '../../list.ts'

const test = 'test/packages/server/tokens.test.ts'
const src = 'packages/server/src'

export const mutants: Mutant[] = [
  {
    rule: 'a back end reads tokens only for rules that permit them',
    file: `${src}/session-token.ts`,
    from: "accepted.includes('token') && isAccessToken(value, settings.url)",
    to: 'isAccessToken(value, settings.url)',
    test,
  },
  {
    rule: 'a back end asks only about tokens of its service',
    file: `${src}/token-form.ts`,
    from: " && memberOf(claims, 'iss') === issuer",
    to: '',
    test,
  },
  {
    rule: 'a back end asks only about access tokens',
    file: `${src}/token-form.ts`,
    from: "memberOf(header, 'typ') === 'at+jwt' && ",
    to: '',
    test,
  },
  {
    rule: 'a token opens only the API for which it was issued',
    file: `${src}/judge-bearer.ts`,
    from: 'resource === undefined || !isSame(resource, bearer.resource)',
    to: 'resource === undefined',
    test,
  },
  {
    rule: 'a rule for tokens names the API',
    file: `${src}/rule.ts`,
    from: "if (kinds.includes('token') === (resource !== undefined)) return []",
    to: 'return []',
    test: 'test/packages/server/rules.test.ts',
  },
  {
    rule: 'a rule for second factors judges the sign-in of the user to whom a token belongs',
    file: `${src}/assert-allowed.ts`,
    from: "  if (rule.twoFactor && !bearer.methods.includes('mfa')) throw new WardenryError('TWO_FACTOR_REQUIRED')\n",
    to: '',
    test,
  },
  {
    rule: 'a token that a back end cannot read completely is not accepted',
    file: `${src}/read-bearer.ts`,
    from: "  typeof value.resource === 'string' &&\n",
    to: '',
    test,
  },
  {
    rule: 'identifiers without an authority are compared as they are',
    file: 'src/lib/same-resource.ts',
    from: 'return identifier.replace(schemeOf, (scheme) => scheme.toLowerCase())',
    to: 'return URL.parse(identifier)?.protocol ?? identifier',
    test: 'test/lib/same-resource.test.ts',
  },
]
