import type { Mutant } from './list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a removal of a way to sign in waits for a change of settings that is under way',
    file: 'src/sign-in-methods/hold-settings.ts',
    from: "  await waitForSharedLock(db, 'settings')\n",
    to: '',
    test: 'test/races/last-sign-in-method.test.ts',
  },
  {
    rule: 'a removal of a way to sign in obeys the stored settings, not those that the node remembers',
    file: 'src/sign-in-methods/can-sign-in.ts',
    from: '(await holdSettings(ctx))',
    to: 'ctx.config',
    test: 'test/races/last-sign-in-method.test.ts',
  },
]
