import { SendMessageRoute } from '../../../../../admin/user-schemas.ts'
import type { UserAction, UserDetails } from '../../../../../ui/console/console-part.ts'
import { call } from '../../../../../ui/shared/api-route.ts'
import { isInvited } from '../read-user.ts'
import { type ActionName, hasJoined, isUnblocked, isUnverified, ofUser, words } from './action-parts.ts'

const sends = (name: ActionName, message: string, isFor: UserAction['isFor']): UserAction => ({
  name: name.replaceAll('_', '-'),
  icon: 'mail',
  right: 'send_message',
  isFor,
  words: words(name),
  call: (details) => call(SendMessageRoute, { params: ofUser(details), body: { message } }),
})

const canSignIn = (details: UserDetails): boolean => hasJoined(details) && isUnblocked(details)

// Until the invitation is accepted, the other messages are not offered, because they also lead to a first sign-in.
export const inviteAgain = sends('invite_again', 'invitation', (user) => isUnblocked(user) && isInvited(user))
export const sendReset = sends('send_reset', 'password_reset', canSignIn)
export const sendSignInLink = sends('send_sign_in_link', 'sign_in_link', canSignIn)
export const sendVerification = sends(
  'send_verification',
  'verification',
  (user) => hasJoined(user) && isUnverified(user),
)
