import type { Mutant } from '../list.ts'

export const mutants: Mutant[] = [
  {
    rule: 'acquisition values are taken once, whole, and never change',
    file: 'src/modules/onboarding/queries.ts',
    from: ".where('user_acquisition.acquired_at', 'is', null)",
    to: '',
    test: 'test/modules/onboarding/completion.test.ts',
  },
  {
    rule: 'a rejection never repeats a write-only value',
    file: 'src/modules/onboarding/read-acquisition.ts',
    from: "throw invalidField(field, 'must be an http or https URL",
    to: "throw invalidField(field, text + 'must be an http or https URL",
    test: 'test/modules/onboarding/completion.test.ts',
  },
  {
    rule: 'what steps keep holds nothing that is write-only, at any depth',
    file: 'src/modules/onboarding/state.ts',
    from: ' ? here : findName(inner, here)',
    to: ' ? here : undefined',
    test: 'test/modules/onboarding/wizard.test.ts',
  },
  {
    rule: 'no step has a write-only name',
    file: 'src/modules/onboarding/settings.ts',
    from: " && name !== 'start' && !isWriteOnlyName(name)",
    to: " && name !== 'start'",
    test: 'test/modules/onboarding/wizard.test.ts',
  },
  {
    rule: 'answers of a stranger end with the first proof',
    file: 'src/modules/onboarding/manifest.ts',
    from: 'forgetAnswers(tx.db, id)',
    to: 'Promise.resolve(void [tx, id])',
    test: 'test/social/first-proof.test.ts',
  },
]
