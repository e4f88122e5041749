import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a file with a document type is refused, and with it every entity',
    file: 'src/modules/blog/transfer/read-xml.ts',
    from: "  parser.ondoctype = () => refuse('document types and entity declarations are not supported')\n",
    to: '',
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'a file is held in memory up to a limit',
    file: 'src/modules/blog/transfer/read-xml.ts',
    from: '      if (silent > limits.characters) refuse(`an element is larger than ${limits.characters} characters`)\n',
    to: '',
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'what an export says nothing about asks for no module',
    file: 'src/modules/blog/transfer/from-export.ts',
    from: '...(isFilled(fields) && { fields })',
    to: '...(isObject(fields) && { fields })',
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'what Ghost has only mailed is published by no import',
    file: 'src/modules/blog/transfer/from-ghost.ts',
    from: "const status = isMail && states.has(given) ? 'draft' : states.get(given)",
    to: "const status = given === 'sent' ? 'published' : states.get(given)",
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'a scheduled post without a readable time is published by no import',
    file: 'src/modules/blog/transfer/fit-post.ts',
    from: "if (status === 'scheduled' && !scheduledAt) {",
    to: "if (status === 'pending' && !scheduledAt) {",
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'an import says what is taken out of a body',
    file: 'src/modules/blog/transfer/write-post.ts',
    from: 'if (removed.length > 0)',
    to: 'if (removed.length > 1_000)',
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'former slugs survive a move to another installation',
    file: 'src/modules/blog/transfer/from-export.ts',
    from: 'listValue(row.former_slugs).map(formerSlugOf)',
    to: '[]',
    test: 'test/modules/blog/transfer.test.ts',
  },
  {
    rule: 'no hash of a password leaves with the posts',
    file: 'src/modules/blog/transfer/export-posts.ts',
    from: '  ...{ status: post.status, visibility: post.visibility,',
    to: '  ...{ password_hash: post.password_hash, status: post.status, visibility: post.visibility,',
    test: 'test/modules/blog/transfer.test.ts',
  },
]
