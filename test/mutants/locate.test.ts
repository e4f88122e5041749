import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { locate } from '../../scripts/mutants/locate.ts'

/** The source after the change. */
function mutated(source: string, from: string, to: string): string | undefined {
  const place = locate(source, from, to)
  return place && source.slice(0, place.start) + place.replacement + source.slice(place.end)
}

suite('the place of a mutant', () => {
  test('is the text itself where it occurs once', () => {
    assert.equal(mutated('a(); b(); c()', 'b();', ''), 'a();  c()')
  })

  test('is found after a rename, and its replacement is renamed too', () => {
    const source = 'if (session.endedAt === null && tx.now < limit) accept(session)\nif (other) refuse(session)'
    assert.equal(
      mutated(source, 'if (session.ended === null && tx.now < limit) accept(session)', 'accept(session.ended)'),
      'accept(session.endedAt)\nif (other) refuse(session)',
    )
  })

  test('is found after a change of layout', () => {
    assert.equal(mutated('if (\n  one &&\n  two\n)\n  stop(one)', 'if (one && two) stop(one)', ''), '')
    assert.equal(mutated('stop(\n  one,\n  two,\n)', 'stop(one, two)', ''), '')
  })

  test('is the place that kept more of its names', () => {
    assert.equal(
      mutated('check(user, age)\ncheck(session, days)', 'check(session, age2, 1)', ''),
      undefined,
      'another number of arguments is another shape',
    )
    assert.equal(mutated('check(user.age)\ncheck(session.days)', 'check(session.time)', ''), 'check(user.age)\n')
  })

  test('is unknown where two places fit equally', () => {
    assert.equal(mutated('check(user.age)\ncheck(session.days)', 'check(visit.time)', ''), undefined)
  })

  test('is unknown where an operator, a number or a word of SQL differs', () => {
    assert.equal(mutated('if (age > limit) stop()', 'if (age >= limit) stop()', ''), undefined)
    assert.equal(mutated('wait(60)', 'wait(61)', ''), undefined)
    assert.equal(mutated('a IS NOT NULL', 'a IS NULL', ''), undefined)
  })

  test('is unknown if a name would map to two names', () => {
    assert.equal(mutated('compare(one, two)', 'compare(both, both)', ''), undefined)
  })

  test('is unknown where less than half of the names remain', () => {
    assert.equal(mutated('check(user.age)', 'verify(session.time)', ''), undefined)
  })
})
