import type { Mutant } from '../../list.ts'

const test = 'test/packages/server/rules.test.ts'

export const mutants: Mutant[] = [
  {
    rule: 'a back end refuses a rule with a member that it does not know',
    file: 'packages/server/src/check-options.ts',
    from: 'if (!permitted) problems.push(unknownMember(name, Object.keys(known)))',
    to: 'if (!permitted) continue',
    test,
  },
  {
    rule: 'a back end refuses a rule with a member of a wrong type',
    file: 'packages/server/src/check-options.ts',
    from: 'value !== undefined && !permitted.accepts(value)',
    to: 'false',
    test,
  },
  {
    rule: 'an undefined member of a rule is not the same as none',
    file: 'packages/server/src/rule.ts',
    from: 'problemsOf(copy, members, { rejectUndefined: true })',
    to: 'problemsOf(copy, members, { rejectUndefined: false })',
    test,
  },
  {
    rule: 'an undefined rule does not permit every user',
    file: 'packages/server/src/rule.ts',
    from: 'if (rule === undefined) throw',
    to: 'if (rule === undefined) return anyUser; if (rule === null) throw',
    test,
  },
  {
    rule: 'a second rule is not ignored',
    file: 'packages/server/src/rule.ts',
    from: 'if (given.length > 1)',
    to: 'if (given.length > 9)',
    test,
  },
  {
    rule: 'a rule cannot be changed after its route was defined',
    file: 'packages/server/src/rule.ts',
    from: 'Object.freeze([...value])',
    to: 'value',
    test,
  },
]
