import type { AdminTexts } from '../../texts/index.ts'

export type GroupName = keyof AdminTexts['messages']['groups']

/** The messages in the order in which a person receives them. */
const groups: readonly [GroupName, readonly string[]][] = [
  [
    'sign_in',
    ['verify_email', 'account_exists', 'login_link', 'login_code', 'password_reset', 'new_device', 'account_locked'],
  ],
  [
    'account',
    [
      'password_changed',
      'email_change_current',
      'email_change_new',
      'email_change_attempt',
      'email_changed',
      'email_change_cancelled',
      'phone_changed',
      'social_linked',
      'social_unlinked',
      'credentials_removed',
    ],
  ],
  [
    'second_factor',
    [
      'two_factor_code',
      'two_factor_text',
      'two_factor_enabled',
      'two_factor_disabled',
      'recovery_code_used',
      'recovery_codes_replaced',
    ],
  ],
  ['administration', ['account_created', 'admin_changed_account', 'webhook_disabled']],
  ['personal_data', ['personal_data', 'deletion_requested', 'deletion_cancelled', 'account_deleted']],
]

/** Messages of external modules form the last group. Groups without messages are omitted. */
export function groupMessages<Message extends { name: string }>(
  messages: readonly Message[],
): { group: GroupName; messages: Message[] }[] {
  const known = groups.flatMap(([, names]) => names)
  const all = [
    ...groups.map(([group, names]) => ({
      group,
      messages: names.flatMap((name) => messages.filter((message) => message.name === name)),
    })),
    { group: 'other' as const, messages: messages.filter(({ name }) => !known.includes(name)) },
  ]
  return all.filter(({ messages: found }) => found.length > 0)
}
