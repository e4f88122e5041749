import type { Mutant } from '../list.ts'

const test = 'test/modules/oauth/redirect-uri.test.ts'
const texts = 'src/modules/oauth/clients/address-problem.ts'
const redirects = 'src/modules/oauth/clients/redirect-uri.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a redirect address has no scheme that runs code, also if invisible characters separate its letters',
    file: texts,
    from: 'forbiddenScheme.test(withoutInvisible(text))',
    to: 'forbiddenScheme.test(text)',
    test,
  },
  {
    rule: 'a redirect address has only printable ASCII characters',
    file: texts,
    from: '!/^[\\x21-\\x7e]+$/.test(text)',
    to: "text === ' '",
    test,
  },
  {
    rule: 'a redirect address has no user name',
    file: texts,
    from: "authorityIn(text).includes('@')",
    to: "text === '@'",
    test,
  },
  {
    rule: 'a redirect address has no fragment',
    file: texts,
    from: "text.includes('#')",
    to: "text === '#'",
    test,
  },
  {
    rule: 'a redirect address has no wildcard',
    file: texts,
    from: "text.includes('*')",
    to: "text === '*'",
    test,
  },
  {
    rule: 'a redirect address has no segments that servers resolve',
    file: texts,
    from: 'hasDotSegment(pathIn(text))',
    to: "text === '..'",
    test,
  },
  {
    rule: 'a redirect address is written as every parser reads it',
    file: texts,
    from: 'return isCanonical ? undefined',
    to: 'return url ? undefined',
    test,
  },
  {
    rule: 'a redirect address is encrypted unless it is on loopback',
    file: redirects,
    from: "return isLocal(url) && (type !== 'web' || !isProduction)",
    to: "return type !== 'web' || !isProduction",
    test,
  },
  {
    rule: 'a redirect address of a web application is encrypted in production',
    file: redirects,
    from: "return isLocal(url) && (type !== 'web' || !isProduction)",
    to: 'return isLocal(url)',
    test,
  },
  {
    rule: 'only native clients have redirect addresses with schemes of their own',
    file: redirects,
    from: "return type === 'native' && isPrivateUse(url)",
    to: 'return isPrivateUse(url)',
    test,
  },
  {
    rule: 'a redirect address has a scheme of the application itself',
    file: redirects,
    from: "return type === 'native' && isPrivateUse(url)",
    to: "return type === 'native'",
    test,
  },
  {
    rule: 'a redirect address has no query members that responses have',
    file: redirects,
    from: 'membersOfResponse.has(name)',
    to: "name === 'any'",
    test,
  },
  {
    rule: 'only native clients choose the port of a redirect address',
    file: redirects,
    from: "(type === 'native' && matchesOnAnyPort(registered, sent))",
    to: 'matchesOnAnyPort(registered, sent)',
    test,
  },
  {
    rule: 'a redirect address with another port has the registered host',
    file: redirects,
    from: '`${host}${rest}`',
    to: 'rest',
    test,
  },
  {
    rule: 'only a redirect address on loopback may have another port',
    file: redirects,
    from: '/^(http:\\/\\/(?:127\\.0\\.0\\.1|\\[::1\\]|localhost))(?::([1-9]\\d{0,4}))?((?:[/?].*)?)$/',
    to: '/^(https?:\\/\\/[^/:?]+)(?::([1-9]\\d{0,4}))?((?:[/?].*)?)$/',
    test,
  },
]
