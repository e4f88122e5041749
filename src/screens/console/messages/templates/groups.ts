import { isMessageName, messageGroup } from '../../../../outbox/messages.ts'
import type { AdminTexts } from '../../../../ui/console/texts/index.ts'

export type GroupName = keyof AdminTexts['messages']['groups']

/** The core's messages in the order in which a person receives them. Modules declare the group of their messages. */
const groups: readonly [GroupName, readonly string[]][] = [
  [
    'sign_in',
    [
      'verify_email',
      'registration_code',
      'recovery_code',
      'account_exists',
      'login_link',
      'login_code',
      'password_reset',
      'new_device',
      'account_locked',
    ],
  ],
  [
    'account',
    [
      'password_changed',
      'email_change_current',
      'email_change_by_passkey',
      'email_change_new',
      'email_change_attempt',
      'email_changed',
      'email_change_cancelled',
      'phone_changed',
      'social_linked',
      'social_unlinked',
      'recovery_code_used',
      'recovery_codes_replaced',
      'credentials_removed',
    ],
  ],
  ['second_factor', []],
  [
    'administration',
    [
      'account_created',
      'admin_changed_account',
      'passkeys_reset',
      'webhook_disabled',
      'application_addresses',
      'application_secret',
      'staff_role',
    ],
  ],
  ['personal_data', ['account_deleted']],
]

/** Messages without a known group form the last group. Groups without messages are omitted. */
export function groupMessages<Message extends { name: string }>(
  messages: readonly Message[],
): { group: GroupName; messages: Message[] }[] {
  const all = groups.map(([group, names]) => {
    const ofCore = names.flatMap((name) => messages.filter((message) => message.name === name))
    const ofModules = messages.filter(({ name }) => isMessageName(name) && messageGroup(name) === group)
    return { group, messages: [...ofCore, ...ofModules] }
  })
  const known = new Set(all.flatMap((one) => one.messages))
  const others = { group: 'other' as const, messages: messages.filter((message) => !known.has(message)) }
  return [...all, others].filter(({ messages: found }) => found.length > 0)
}
