import assert from 'node:assert/strict'
import { test } from 'node:test'
import Type from 'typebox'
import { normalizeMembers, spellingsOf } from '../../src/http/parsing/normalize-members.ts'
import { AppError } from '../../src/lib/errors.ts'

const schema = Type.Object(
  { team_size: Type.Optional(Type.String()), campaign_name: Type.Optional(Type.String()) },
  { patternProperties: { '^campaign_[a-z0-9_]{1,20}$': Type.String() } },
)
const read = (members: unknown) => normalizeMembers(members, spellingsOf(schema))

test('a member whose name callers choose has both spellings, too; what fits no name is left behind', () => {
  assert.deepEqual(read({ teamSize: 'a', campaignName: 'b', campaignUtmId: 'c', campaign_utm_2: 'd', other: 'e' }), {
    team_size: 'a',
    campaign_name: 'b',
    campaign_utm_id: 'c',
    campaign_utm_2: 'd',
  })
  assert.deepEqual(read({ campaign_: 'a', campaign: 'b', Campaign_x: 'c', campaign_é: 'd', campaignX: null }), {})
  assert.throws(() => read({ campaign_utm_id: 'a', campaignUtmId: 'b' }), AppError)
  assert.deepEqual(read({ campaign_utm_id: 'a', campaignUtmId: 'a' }), { campaign_utm_id: 'a' })
})

test('an object of the caller’s own is taken as it is', () => {
  const given = { anyName: null, any_name: 1, deep: { anyName: [null] } }
  const open = Type.Object({}, { additionalProperties: true })
  assert.deepEqual(normalizeMembers(structuredClone(given), spellingsOf(open)), given)
  assert.equal(normalizeMembers('text', spellingsOf(open)), 'text')
})
