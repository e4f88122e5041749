import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a cursor whose next events were deleted is refused',
    file: 'src/events/read-events.ts',
    from: '  const rows = withoutGap(start, found)\n',
    to: '  const rows = found\n',
    test: 'test/events/read.test.ts',
  },
  {
    rule: 'sign-ins of superadmins are hidden from other readers of events',
    file: 'src/events/read-events.ts',
    from: "viewer.user_type === 'superadmin' ? rows",
    to: 'viewer.user_type ? rows',
    test: 'test/events/read.test.ts',
  },
]
