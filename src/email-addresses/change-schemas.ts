import Type from 'typebox'
import { describe, NullableString, namedSchema, success, Timestamp } from '../http/responses/schemas.ts'
import { iso } from '../lib/time.ts'
import { exampleToken, OneTimeTokenText } from '../one-time-tokens/schemas.ts'
import { CurrentPassword } from '../passwords/schemas.ts'
import type { EmailChange } from './change-queries.ts'
import { FormToken, LinkQuery, linkText } from './schemas.ts'

const tag = 'E-mail change'

export const PendingChange = namedSchema(
  'PendingEmailChange',
  Type.Object({
    status: Type.Literal('pending'),
    new_email: Type.String({ examples: ['ada@new.example.com'] }),
    expires_at: Timestamp,
  }),
)

const Confirmed = namedSchema(
  'ConfirmedHalves',
  Type.Object(
    { current: Type.Boolean(), new: Type.Boolean() },
    { description: 'whether each inbox has confirmed the change', examples: [{ current: true, new: false }] },
  ),
)

export const RequestChangeRoute = describe(
  {
    operationId: 'requestEmailChange',
    errors: ['ACCOUNT_LOCKED', 'INVALID_CURRENT_PASSWORD', 'REAUTH_REQUIRED'],
    summary: 'Request a change to the login email address',
    description:
      'A link is sent to both email addresses. The address changes once both links have been confirmed. A new ' +
      'request replaces the pending one. The response does not reveal whether another user has the address. Users ' +
      'with passkeys and without a password must have authenticated with a passkey recently. Their change takes effect ' +
      'after 72 hours if only the new address has confirmed it and nobody has cancelled it.',
    tag,
  },
  {
    body: Type.Object(
      {
        new_email: Type.String({
          minLength: 1,
          maxLength: 254,
          aliases: ['email'],
          examples: ['ada@new.example.com'],
        }),
        current_password: CurrentPassword,
      },
      { examples: [{ new_email: 'ada@new.example.com', current_password: 'seven quiet river stones' }] },
    ),
  },
  success({ message: Type.String(), email_change: PendingChange }),
)

export const ChangeStatusRoute = describe(
  {
    operationId: 'getEmailChange',
    summary: 'Get the pending email change',
    description:
      'Returns `status: none` if no change is pending. Does not reveal whether the new address belongs to ' +
      'another user.',
    tag,
  },
  {},
  success({
    email_change: Type.Object({
      status: Type.Union([Type.Literal('none'), Type.Literal('pending')]),
      new_email: NullableString,
      confirmed: Type.Union([Confirmed, Type.Null()]),
      expires_at: Type.Union([Timestamp, Type.Null()]),
      takes_effect_at: Type.Union([Timestamp, Type.Null()], {
        description: 'when the change takes effect even if the current address has not confirmed it',
      }),
    }),
  }),
)

const AddressConfirmed = namedSchema(
  'EmailChangeConfirmation',
  success({
    message: Type.String(),
    status: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('cancelled')]),
    confirmed: Confirmed,
  }),
)

export const ConfirmChangeLinkRoute = describe(
  {
    operationId: 'openEmailChangeLink',
    errors: ['ACCOUNT_BLOCKED', 'EMAIL_TAKEN', 'INVALID_TOKEN'],
    summary: 'Open a link that confirms an email change',
    description: linkText,
    tag,
  },
  { querystring: LinkQuery },
  AddressConfirmed,
)

export const ConfirmChangeRoute = describe(
  {
    operationId: 'confirmEmailChange',
    errors: ['ACCOUNT_BLOCKED', 'EMAIL_TAKEN', 'INVALID_TOKEN'],
    summary: 'Confirm an email change from one inbox',
    description:
      'The inboxes can confirm in any order. The second confirmation completes the change, ends all other sessions ' +
      "and invalidates all of the user's other links. EMAIL_TAKEN is returned only at the second confirmation, if " +
      'another user has taken the address. Browsers that submit the form are redirected to the front end.',
    tag,
  },
  {
    body: Type.Object(
      {
        token: OneTimeTokenText,
        answer: Type.Optional(
          Type.Literal('not_me', {
            description:
              'only with the token from the email to the new address: its owner did not ask for the change, which is cancelled',
            // An empty answer is not a confirmation.
            keepNull: true,
          }),
        ),
        form_token: FormToken,
      },
      { examples: [{ token: exampleToken }] },
    ),
  },
  AddressConfirmed,
)

const Cancelled = namedSchema(
  'EmailChangeCancellation',
  success({ message: Type.String(), status: Type.Literal('cancelled') }),
)

export const CancelChangeLinkRoute = describe(
  {
    operationId: 'openEmailChangeCancelLink',
    errors: ['INVALID_TOKEN'],
    summary: 'Open a link that cancels an email change',
    description: linkText,
    tag,
  },
  { querystring: LinkQuery },
  Cancelled,
)

export const CancelChangeRoute = describe(
  {
    operationId: 'cancelEmailChange',
    errors: ['INVALID_TOKEN', 'NOT_FOUND'],
    summary: 'Cancel an email change',
    description:
      'Requires the token from the email to the current address, or a session. Browsers that submit the form are ' +
      'redirected to the front end.',
    tag,
  },
  {
    body: Type.Object(
      { token: Type.Optional(OneTimeTokenText), form_token: FormToken },
      { examples: [{ token: exampleToken }] },
    ),
  },
  Cancelled,
)

export const pendingChange = ({ new_email, expires_at }: EmailChange) => ({
  status: 'pending' as const,
  new_email,
  expires_at: iso(expires_at),
})

export const changeStatus = (pending: EmailChange | undefined) =>
  pending
    ? {
        ...pendingChange(pending),
        confirmed: { current: pending.current_confirmed_at !== null, new: pending.new_confirmed_at !== null },
        takes_effect_at: pending.notice_id ? iso(pending.expires_at) : null,
      }
    : { status: 'none' as const, new_email: null, confirmed: null, expires_at: null, takes_effect_at: null }
