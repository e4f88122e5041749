import type { Mutant } from '../list.ts'

const test = 'test/modules/oauth/samples.test.ts'

export const mutants: Mutant[] = [
  {
    rule: 'the settings for Apache accept no token for another API',
    file: 'src/modules/oauth/samples/apache.ts',
    from: '    Require oauth2_claim "aud:${terms.resource}"\n',
    to: '',
    test,
  },
  {
    rule: 'the settings for Go accept no token for another API',
    file: 'src/modules/oauth/samples/go.ts',
    from: 'ClientID: ${quoted(resource)}',
    to: 'SkipClientIDCheck: true',
    test,
  },
  {
    rule: 'the settings for Node.js accept no token for another API',
    file: 'src/modules/oauth/samples/node.ts',
    from: 'audience: ${quoted(resource)}, ',
    to: '',
    test,
  },
  {
    rule: 'the settings for Python accept no token for another API',
    file: 'src/modules/oauth/samples/python.ts',
    from: '    "aud": {"essential": True, "value": ${quoted(resource)}},\n',
    to: '',
    test,
  },
]
