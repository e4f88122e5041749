import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a message template changes only with recent authentication',
    file: 'src/messages/change-template.ts',
    from: '  assertRecentProof(ctx, session)\n',
    to: '',
    test: 'test/messages/templates.test.ts',
  },
  {
    rule: 'only superadmins change message templates',
    file: 'src/messages/template-routes.ts',
    from: "const changes = { access: staffWith('templates:write'),",
    to: "const changes = { access: staffWith('messages:read'),",
    test: 'test/permissions/matrix.test.ts',
  },
  {
    rule: 'a test message goes only to a verified address',
    file: 'src/messages/try-template.ts',
    from: "  if (!actor.is_verified) throw new AppError('EMAIL_NOT_VERIFIED')\n",
    to: '',
    test: 'test/messages/templates.test.ts',
  },
  {
    rule: 'test messages are limited',
    file: 'src/messages/try-template.ts',
    from: 'if (count > maxTests) throw',
    to: 'if (count > Infinity) throw',
    test: 'test/messages/templates.test.ts',
  },
  {
    rule: 'the list of messages shows only masked addresses',
    file: 'src/messages/list-outbox.ts',
    from: 'maskEmail(to)',
    to: 'to',
    test: 'test/messages/outbox.test.ts',
  },
  {
    rule: 'a message whose link has expired is not sent again',
    file: 'src/messages/retry-queries.ts',
    from: '        AND (expires_at IS NULL OR expires_at > ${now}::timestamptz)\n        AND (${ids',
    to: '        AND (${ids',
    test: 'test/messages/outbox.test.ts',
  },
]
