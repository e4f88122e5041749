import type { Mapped } from '../../src/import/sources/source.ts'

/** What each row of a fixture is mapped to, without the password hashes. */
export const expected: Record<string, Mapped[]> = {
  csv: [
    {
      record: {
        email: 'ada@example.com',
        name: 'Ada',
        last_name: 'Love"lace, Ada',
        phone: '+447700900123',
        metadata: { theme: 'dark' },
        is_verified: true,
        created_at: '2021-03-05T16:35:16.000Z',
      },
      lost: ['column password'],
    },
  ],
  jsonl: [
    {
      record: {
        external_id: '17',
        email: 'ada@example.com',
        name: 'Ada',
        is_verified: true,
        created_at: '2021-03-05T16:35:16.000Z',
        identities: [{ provider: 'google', subject: '1' }],
      },
      lost: [],
    },
  ],
  auth0: [
    {
      record: {
        external_id: 'auth0|60425dc43519d90068f82973',
        email: 'ada@example.com',
        is_verified: true,
        name: 'Ada',
        last_name: 'Lovelace',
        user_name: 'ada',
        user_type: 'writer',
        phone: '+447700900123',
        phone_trusted: true,
        picture: 'https://example.com/ada.png',
        created_at: '2021-03-05T16:35:16.775Z',
        updated_at: '2025-01-02T03:04:05.678Z',
        metadata: { theme: 'dark' },
        identities: [{ provider: 'google', subject: '110169484474386276334' }],
      },
      lost: ['app metadata'],
    },
    {
      record: {
        external_id: 'windowslive|4cf0a30169dd4d34',
        email: 'grace@example.com',
        is_verified: true,
        display_name: 'Grace Hopper',
        created_at: '2021-03-06T16:35:16.775Z',
        blocked: { reason: 'Blocked in Auth0 before the import' },
      },
      lost: ['identities at other providers', 'second factors'],
    },
    {
      record: {
        external_id: 'auth0|60425da93519d90068f82966',
        email: 'alan@example.com',
        is_verified: false,
      },
      lost: [],
    },
  ],
  firebase: [
    {
      record: {
        external_id: '8lMZ1gVDS9ZxTVbLXrv2ZvzjBYk1',
        email: 'ada@example.com',
        is_verified: true,
        display_name: 'Ada Lovelace',
        phone: '+447700900123',
        phone_trusted: true,
        picture: 'https://example.com/ada.png',
        created_at: '2021-03-05T16:35:16.775Z',
        identities: [
          {
            provider: 'google',
            subject: '110169484474386276334',
            email: 'ada@example.com',
          },
        ],
      },
      lost: ['custom claims'],
    },
    {
      record: {
        external_id: 'q1ZxTVbLXrv2ZvzjBYk18lMZ1gVD',
        email: 'grace@example.com',
        is_verified: false,
        created_at: '2021-03-05T16:35:16.775Z',
        blocked: { reason: 'Blocked in Firebase before the import' },
      },
      lost: ['identities at other providers'],
    },
    { problem: 'no email address' },
  ],
  supabase: [
    {
      record: {
        id: '7d0e1a52-4a0c-4d5c-9f0e-0f3f6a1c2b3d',
        email: 'ada@example.com',
        is_verified: true,
        display_name: 'Ada Lovelace',
        phone: '+447700900123',
        phone_trusted: true,
        picture: 'https://example.com/ada.png',
        created_at: '2023-05-01T09:59:00.123Z',
        updated_at: '2024-05-01T10:00:00.123Z',
        metadata: {
          full_name: 'Ada Lovelace',
          avatar_url: 'https://example.com/ada.png',
          theme: 'dark',
        },
        identities: [
          {
            provider: 'google',
            subject: '110169484474386276334',
            email: 'ada@example.com',
            linked_at: '2023-05-02T10:00:00.000Z',
          },
        ],
        totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
      },
      lost: ['app metadata'],
    },
    {
      record: {
        id: '8d0e1a52-4a0c-4d5c-9f0e-0f3f6a1c2b3d',
        email: 'grace@example.com',
        is_verified: false,
        created_at: '2023-05-01T09:59:00.123Z',
        updated_at: '2023-05-01T09:59:00.123Z',
        blocked: {
          reason: 'Blocked in Supabase before the import',
          until: '2030-01-01T00:00:00.000Z',
        },
      },
      lost: ['identities (not in the file)'],
    },
    { problem: 'an anonymous user' },
  ],
  cognito: [
    {
      record: {
        external_id: 'eaad0219-2117-439f-8d46-4db20e59268f',
        email: 'ada@example.com',
        is_verified: true,
        name: 'Ada',
        last_name: 'Lovelace',
        user_name: 'ada',
        dob: '1990-12-10',
        phone: '+447700900123',
        phone_trusted: false,
        lang: 'en-GB',
        tmz: 'Europe/London',
        created_at: '2021-03-05T16:35:16.775Z',
        updated_at: '2024-03-05T16:35:16.775Z',
      },
      lost: ['password (Cognito does not export passwords)', 'custom attributes'],
    },
    {
      record: {
        external_id: 'faad0219-2117-439f-8d46-4db20e59268f',
        email: 'grace@example.com',
        is_verified: false,
        display_name: 'Grace Hopper',
        created_at: '2021-03-05T16:35:16.775Z',
        updated_at: '2021-03-05T16:35:16.775Z',
        blocked: { reason: 'Blocked in Cognito before the import' },
        identities: [
          {
            provider: 'google',
            subject: '110169484474386276334',
            linked_at: '2021-03-05T16:35:16.775Z',
          },
        ],
      },
      lost: [],
    },
  ],
  keycloak: [
    {
      record: {
        id: '1b5c6cde-96bd-4d2b-9f4d-5c1f0ac0c1aa',
        email: 'ada@example.com',
        is_verified: true,
        name: 'Ada',
        last_name: 'Lovelace',
        user_name: 'ada',
        lang: 'es',
        created_at: '2021-03-05T16:35:16.775Z',
        identities: [{ provider: 'github', subject: '583231' }],
        totp: [{ secret: 'I5FGW2DJJ5IGCR2EJJYXE52KNBBHATDL' }],
      },
      lost: ['roles', 'attributes', 'groups', 'passkeys'],
    },
    {
      record: {
        id: '2b5c6cde-96bd-4d2b-9f4d-5c1f0ac0c1aa',
        email: 'grace@example.com',
        is_verified: false,
        created_at: '2021-03-05T16:35:16.775Z',
        blocked: { reason: 'Blocked in Keycloak before the import' },
      },
      lost: ['authenticators with other parameters'],
    },
    { problem: 'a service account' },
  ],
  clerk: [
    {
      record: {
        external_id: 'user_2abcDEFghiJKLmnoPQRstuVWXyz',
        email: 'ada@example.com',
        is_verified: true,
        name: 'Ada',
        last_name: 'Lovelace',
        user_name: 'ada',
        phone: '+447700900123',
        phone_trusted: true,
        totp: [{ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }],
      },
      lost: ['other email addresses'],
    },
    {
      record: {
        external_id: 'user_2bbcDEFghiJKLmnoPQRstuVWXyz',
        email: 'grace@example.com',
        is_verified: false,
        name: 'Grace',
        last_name: 'Hopper, Admiral',
      },
      lost: [],
    },
  ],
  'better-auth': [
    {
      record: {
        external_id: 'Zk3vVh0fXq2b8Jm1Lw9sT6yN4cR7pD5a',
        email: 'ada@example.com',
        is_verified: true,
        display_name: 'Ada Lovelace',
        user_name: 'Ada',
        picture: 'https://example.com/ada.png',
        created_at: '2024-05-01T10:00:00.123Z',
        updated_at: '2024-05-02T10:00:00.123Z',
        identities: [
          {
            provider: 'github',
            subject: '583231',
            linked_at: '2024-05-03T10:00:00.123Z',
          },
        ],
      },
      lost: ['roles', 'second factors'],
    },
    {
      record: {
        id: '7d0e1a52-4a0c-4d5c-9f0e-0f3f6a1c2b3d',
        email: 'grace@example.com',
        is_verified: false,
        display_name: 'Grace',
        created_at: '2024-05-01T10:00:00.123Z',
        updated_at: '2024-05-01T10:00:00.123Z',
        blocked: { reason: 'Spam', until: '2030-01-01T00:00:00.000Z' },
      },
      lost: ['identities at other providers'],
    },
  ],
  wordpress: [
    {
      record: {
        external_id: '1',
        email: 'ada@example.com',
        is_verified: true,
        display_name: 'Ada Lovelace',
        user_name: 'ada',
        user_type: 'writer',
        created_at: '2021-03-05T16:35:16.000Z',
      },
      lost: [],
    },
    {
      record: {
        external_id: '2',
        email: 'grace@example.com',
        is_verified: true,
      },
      lost: ['user name'],
    },
    { problem: 'no email address' },
  ],
  laravel: [
    {
      record: {
        external_id: '1',
        email: 'ada@example.com',
        is_verified: true,
        display_name: 'Ada Lovelace',
        created_at: '2021-03-05T16:35:16.000Z',
        updated_at: '2021-03-06T16:35:16.000Z',
      },
      lost: ['roles', 'second factors'],
    },
    {
      record: {
        external_id: '2',
        email: 'grace@example.com',
        is_verified: false,
        display_name: 'Grace',
        created_at: '2021-03-05T16:35:16.000Z',
      },
      lost: [],
    },
  ],
}
