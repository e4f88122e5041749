import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'private posts are in no list but their owner’s',
    file: 'src/modules/blog/lists/parts.ts',
    from: "part('private', { owner: reader.id })",
    to: "part('private')",
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'drafts are listed for their owner, and for administrators',
    file: 'src/modules/blog/lists/parts.ts',
    from: 'reader && (mine || !isAdmin(reader)) ? reader.id',
    to: 'reader && mine ? reader.id',
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'the trash is listed for administrators alone',
    file: 'src/modules/blog/lists/list-posts.ts',
    from: "if ((include_deleted || status === 'deleted') && !isAdmin(reader))",
    to: 'if (include_deleted && !reader)',
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'what a password protects is in no list',
    file: 'src/modules/blog/lists/list-posts.ts',
    from: 'if (isOpen) return post',
    to: 'if (isOpen || post) return post',
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'what a list shows is asked of the posts, whatever the copies beside links say',
    file: 'src/modules/blog/lists/list-queries.ts',
    from: 'WHERE ${shown} ${inOrder',
    to: 'WHERE ${shown} IS NOT NULL ${inOrder',
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'no word behind a password finds its post',
    file: 'src/modules/blog/lists/condition-queries.ts',
    from: 'query === undefined || !locked ? []',
    to: 'query !== undefined || !locked ? []',
    test: 'test/modules/blog/lists.test.ts',
  },
  {
    rule: 'no word behind a password finds the translation of its post',
    file: 'src/modules/blog/lists/condition-queries.ts',
    from: 's.title_words @@ ${query}',
    to: 's.words @@ ${query}',
    test: 'test/modules/blog/search.test.ts',
  },
  {
    rule: 'no kept count tells of posts that their type hides',
    file: 'src/modules/blog/lists/readable-queries.ts',
    from: 'return keys ? sql',
    to: 'return !keys ? sql',
    test: 'test/modules/post-types/posts.test.ts',
  },
  {
    rule: 'no count of what is due tells of posts that their type hides',
    file: 'src/modules/blog/lists/readable-queries.ts',
    from: "types.readable('p', undefined)",
    to: "types.readable('p', { id: '', user_type: 'admin' })",
    test: 'test/modules/post-types/posts.test.ts',
  },
]
