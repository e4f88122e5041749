import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'readers see approved comments, and of those that wait their own',
    file: 'src/modules/blog/comments/queries.ts',
    from: "(${status} = 'approved' OR (${status} = 'pending' AND ${userId} = ${readerId}))",
    to: "(${status} = 'approved' OR (${status} = 'pending'))",
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'a comment is changed by its author or a moderator',
    file: 'src/modules/blog/comments/change-comment.ts',
    from: "      if (!isAuthor) throw new AppError('FORBIDDEN')\n",
    to: '',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'a comment is deleted by its author, the owner of the post or a moderator',
    file: 'src/modules/blog/comments/change-comment.ts',
    from: "    if (!may) throw new AppError('FORBIDDEN')\n",
    to: '',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'a change gets no comment past the moderator who holds it',
    file: 'src/modules/blog/comments/change-comment.ts',
    from: "  if (comment.status === 'pending' && comment.moderated_at) return 'pending'\n",
    to: '',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'comments are for those who may read the post',
    file: 'src/modules/blog/comments/list-comments.ts',
    from: '  await loadReadablePost(ctx, postId, reading)\n',
    to: '',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'a moderator approves only the version of a comment that was shown',
    file: 'src/modules/blog/comments/change-comment.ts',
    from: 'assertUnchanged(comment, expected)',
    to: 'void assertUnchanged',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'every edit of a comment makes a version that was not shown',
    file: 'src/modules/blog/comments/change-comment.ts',
    from: 'now: laterThan(comment, ctx.clock.date())',
    to: 'now: ctx.clock.date()',
    test: 'test/modules/blog/comments.test.ts',
  },
  {
    rule: 'the page of moderators sends the version that was shown',
    file: 'src/modules/blog/pages/content/comments-routes.ts',
    from: 'body: { action, expected_updated_at }',
    to: 'body: { action }',
    test: 'test/modules/blog/pages/moderation.test.ts',
  },
]
