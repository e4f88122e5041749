import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'an upload has a limit of bytes while it comes',
    file: 'src/http/parsing/upload.ts',
    from: 'if (received > maxCharacters)',
    to: 'if (received < 0)',
    test: 'test/pictures/refused.test.ts',
  },
  {
    rule: 'an upload is exactly one part',
    file: 'src/http/parsing/multipart.ts',
    from: '      if (found) throw',
    to: '      if (found?.length === 0) throw',
    test: 'test/pictures/refused.test.ts',
  },
  {
    rule: 'a form is one in every spelling of its type',
    file: 'src/http/parsing/form-body.ts',
    from: 'return type.trim().toLowerCase()',
    to: 'return type',
    test: 'test/http/foreign-pages.test.ts',
  },
  {
    rule: 'a proxy in front and we mean the same host',
    file: 'src/http/parsing/request-line.ts',
    from: "if (isRepeated('host', given))",
    to: "if (isRepeated('hosts', given))",
    test: 'test/http/headers.test.ts',
  },
  {
    rule: 'a proxy in front and we see the same end of a request',
    file: 'src/http/parsing/request-line.ts',
    from: "if (version === '1.0' && headers",
    to: "if (version === '0.9' && headers",
    test: 'test/http/headers.test.ts',
  },
  {
    rule: 'a JSON body is an object',
    file: 'src/http/parsing/json-body.ts',
    from: "if (typeof value !== 'object' || value === null || Array.isArray(value))",
    to: 'if (false)',
    test: 'test/http/body.test.ts',
  },
]
