import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a translation is created or replaced only if the expected version is the current one',
    file: 'src/modules/blog/translations/save-translation.ts',
    from: 'if (found) assertMayChange(post, found, user)\n    assertUnchanged(found, members.expected)',
    to: 'if (found) assertMayChange(post, found, user)',
    test: 'test/races/edit-conflicts.test.ts',
  },
  {
    rule: 'a translation is changed only if the expected version is the current one',
    file: 'src/modules/blog/translations/save-translation.ts',
    from: 'await lockOwn(db, post, lang, user)\n    assertUnchanged(found, members.expected)',
    to: 'await lockOwn(db, post, lang, user)',
    test: 'test/modules/blog/translations.test.ts',
  },
  {
    rule: 'a translation is for those who may read the post',
    file: 'src/modules/blog/translations/save-translation.ts',
    from: '  const { body_format } = await loadReadablePost(ctx, postId, reading)\n  assertFormat({ body,',
    to: "  const { body_format } = await loadReadablePost(ctx, postId, { ...reading, reader: { id: '', user_type: 'admin' } })\n  assertFormat({ body,",
    test: 'test/modules/blog/translations.test.ts',
  },
  {
    rule: 'a translation is replaced by its translator, the owner of the post or an administrator',
    file: 'src/modules/blog/translations/save-translation.ts',
    from: 'if (found) assertMayChange(post, found, user)',
    to: '',
    test: 'test/modules/blog/translations.test.ts',
  },
  {
    rule: 'a translation is changed and deleted by nobody else either',
    file: 'src/modules/blog/translations/save-translation.ts',
    from: '  assertMayChange(post, found, user)\n  return found',
    to: '  return found',
    test: 'test/modules/blog/translations.test.ts',
  },
]
