import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sourceNamed } from './read-fixture.ts'

const verified = { status: 'verified', strategy: 'email_code' }
const user = {
  object: 'user',
  id: 'user_2abcDEFghiJKLmnoPQRstuVWXyz',
  first_name: 'Ada',
  last_name: null,
  username: null,
  image_url: 'https://img.clerk.com/placeholder',
  has_image: false,
  primary_email_address_id: 'idn_2',
  primary_phone_number_id: 'idn_3',
  email_addresses: [
    { id: 'idn_1', email_address: 'other@example.com', verification: null },
    { id: 'idn_2', email_address: 'ada@example.com', verification: verified },
  ],
  phone_numbers: [{ id: 'idn_3', phone_number: '+447700900123', verification: { status: 'unverified' } }],
  external_accounts: [
    { provider: 'oauth_google', provider_user_id: '1101', email_address: 'ada@gmail.com', verification: verified },
    { provider: 'oauth_github', provider_user_id: '42', email_address: '', verification: { status: 'unverified' } },
  ],
  password_enabled: true,
  two_factor_enabled: true,
  totp_enabled: true,
  public_metadata: {},
  private_metadata: {},
  unsafe_metadata: { theme: 'dark' },
  banned: true,
  created_at: 1614962116775,
  updated_at: 1614962116775,
}

test('a user from the Backend API of Clerk is read like a row of the CSV file', () => {
  assert.deepEqual(sourceNamed('clerk').toRecord(user, {}), {
    record: {
      external_id: user.id,
      email: 'ada@example.com',
      is_verified: true,
      name: 'Ada',
      phone: '+447700900123',
      created_at: '2021-03-05T16:35:16.775Z',
      updated_at: '2021-03-05T16:35:16.775Z',
      blocked: { reason: 'Banned in Clerk before the import' },
      metadata: { theme: 'dark' },
      identities: [{ provider: 'google', subject: '1101', email: 'ada@gmail.com' }],
    },
    lost: ['password (not in the file)', 'second factors (not in the file)', 'other email addresses'],
  })
})

test('an identity at a provider that Wardenry does not support is reported', () => {
  const external_accounts = [{ provider: 'oauth_twitch', provider_user_id: '9', verification: verified }]
  const mapped = sourceNamed('clerk').toRecord({ ...user, external_accounts }, {})
  assert.ok('lost' in mapped && mapped.lost.includes('identities at other providers'))
})
