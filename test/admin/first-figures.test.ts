import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readOverview } from '../../src/admin/read-overview.ts'
import { rollUpActivity } from '../../src/admin/roll-up-activity.ts'
import { createSetupLink } from '../../src/admin/setup-link.ts'
import { person } from '../support/people.ts'
import { startTestApp } from '../support/test-app.ts'

test('right after the set-up, every figure counts the first superadmin once', async () => {
  const app = await startTestApp()
  try {
    await rollUpActivity(app.ctx)
    const token = new URL((await createSetupLink(app.ctx)) ?? '').searchParams.get('token') ?? ''
    assert.equal((await app.post('/auth/setup', { token, ...person('grace') })).status, 200)
    const { people, live_sessions, periods } = await readOverview(app.ctx, '30d')
    const sum = (figure: 'new_people' | 'sign_ins') => periods.reduce((total, period) => total + period[figure], 0)
    assert.deepEqual(
      { people, live_sessions, newUsers: sum('new_people'), signIns: sum('sign_ins') },
      { people: 1, live_sessions: 1, newUsers: 1, signIns: 1 },
    )
  } finally {
    await app.stop()
  }
})
