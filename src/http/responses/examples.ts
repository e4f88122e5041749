import type { TSchema } from 'typebox'

/** Adds the example of a response. The schema is copied because other responses can share it. */
export const withExample = <Schema extends TSchema>(schema: Schema, example: object): Schema => ({
  ...schema,
  examples: [example],
})

const id = '019a8d5e-3f6b-7c21-9d0e-5b1f6a7c8d90'
const sessionId = 'ses_7fJx2kQmZt9wB4nVc8LpRs1yDh5aGe3uKo6iXqT0zMA'
const time = '2026-11-20T17:48:31.705Z'
const expiresAt = '2026-11-27T17:48:31.705Z'

const user = {
  id,
  email: 'ada@example.com',
  name: 'Ada',
  last_name: 'Lovelace',
  user_name: 'ada',
  user_type: 'customer',
  picture: '',
  is_verified: true,
  two_factor: false,
}
const loginUser = {
  ...user,
  lang: 'en',
  metadata: {},
  tmz: null,
  dob: null,
  display_name: null,
  first_time: true,
  gender: null,
  title: null,
}
const session = { sessionId, session_id: sessionId, expiresAt, expires_at: expiresAt }
const adminUser = {
  ...user,
  phone: '',
  created_at: time,
  updated_at: time,
  first_time: true,
  title: '',
  blocked: null,
}

export const exampleValues = { id, sessionId, time, expiresAt, user, loginUser, session, adminUser } as const
