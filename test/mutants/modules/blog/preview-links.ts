import type { Mutant } from '../../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'an expired preview link opens no post',
    file: 'src/modules/blog/preview-links/read-preview.ts',
    from: "if (link.expires_at.getTime() <= ctx.clock.now()) return refuse(ctx, 'PREVIEW_LINK_EXPIRED', device)",
    to: '',
    test: 'test/modules/blog/preview-links.test.ts',
  },
  {
    rule: 'the database stores a preview token only as a hash',
    file: 'src/modules/blog/preview-links/token.ts',
    from: 'sha256Bytes(previewToken)',
    to: 'previewToken',
    test: 'test/modules/blog/preview-links.test.ts',
  },
  {
    rule: 'only users who may change a post list its preview links',
    file: 'src/modules/blog/preview-links/change-links.ts',
    from: 'await getEditablePost(ctx, writer, postId, await ctx.postTypeProvider.loadFresh(ctx.db))',
    to: '',
    test: 'test/modules/blog/preview-links.test.ts',
  },
  {
    rule: 'a refused preview token leaves an audit event',
    file: 'src/modules/blog/preview-links/read-preview.ts',
    from: "await recordAudit(ctx, { event: 'token_rejected', outcome: 'failure', device, details })",
    to: 'void [recordAudit, device, details]',
    test: 'test/modules/blog/preview-links.test.ts',
  },
  {
    rule: 'a preview link ends while the author may not write',
    file: 'src/modules/blog/preview-links/read-preview.ts',
    from: '|| !(await mayBeShown(ctx, found))',
    to: '',
    test: 'test/modules/blog/preview-links.test.ts',
  },
  {
    rule: 'unpublishing a post ends its preview links',
    file: 'src/modules/blog/preview-links/change-links.ts',
    from: "if (status === 'published' && after.status !== 'published') await endPreviewLinksOf",
    to: "if (status === 'published' && after.status === 'published') await endPreviewLinksOf",
    test: 'test/modules/blog/preview-links.test.ts',
  },
]
