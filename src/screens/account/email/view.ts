import type { ChangeStatusRoute } from '../../../email-addresses/change-schemas.ts'
import { type AccountArea, accountText, renderAccountLayout } from '../../../ui/account/layout.ts'
import { atTime } from '../../../ui/account/when.ts'
import type { ResponseOf } from '../../../ui/shared/api-route.ts'
import type { ApiRejection } from '../../../ui/shared/call-api.ts'
import { formProblems } from '../../../ui/shared/form-problems.ts'
import type { PageContext } from '../../../ui/shared/render.ts'
import { fill, textsFor } from '../../../ui/texts/index.ts'

type EmailChangeView = ResponseOf<typeof ChangeStatusRoute>['email_change']

export interface EmailPage {
  area: AccountArea
  forms: { change: string; cancel: string; verify: string }
  /** Whether the browser may have passkeys, which show the email address. */
  hasPasskeys: boolean
  user: { email: string; is_verified: boolean; tmz: string | null }
  /** Undefined if the API did not return it. */
  change: EmailChangeView | undefined
  done?: string | undefined
  refused?: { rejection: ApiRejection; newEmail?: string } | undefined
}

export function emailPage(
  { area, forms, hasPasskeys, user, change, done, refused }: EmailPage,
  page: PageContext,
): string {
  const { account, form } = textsFor(page.lang)
  const texts = account.email
  const { problems } = form
  const { top, fields } = formProblems(page.lang, refused?.rejection, {
    fields: ['new_email'],
    rejections: { ...texts.rejections, new_email: problems.email },
  })
  return renderAccountLayout(
    area,
    {
      template: new URL('./email.eta', import.meta.url),
      title: texts.title,
      ...(hasPasskeys && { scripts: ['passkey-list.js'] }),
      done: accountText(account.done, done),
      data: {
        texts,
        user,
        forms,
        pending: pendingView(change, user, page),
        form: { formToken: forms.change, problem: top },
        field: {
          name: 'new_email',
          label: texts.newAddress,
          value: refused?.newEmail ?? '',
          problem: fields.new_email,
          hint: texts.hint,
          hidesHint: true,
          type: 'email',
          required: true,
          maxlength: 254,
          autocomplete: 'email',
        },
      },
    },
    page,
  )
}

function pendingView(change: EmailChangeView | undefined, { email, tmz }: EmailPage['user'], page: PageContext) {
  if (!change?.new_email || !change.confirmed || !change.expires_at) return undefined
  const { new_email, confirmed, expires_at, takes_effect_at } = change
  const texts = textsFor(page.lang).account.email
  const inbox = (address: string, isConfirmed: boolean) => ({
    address,
    isConfirmed,
    state: isConfirmed ? texts.inboxDone : texts.inboxWaits,
  })
  return {
    newEmail: new_email,
    inboxes: [inbox(email, confirmed.current), inbox(new_email, confirmed.new)],
    text: takes_effect_at === null ? texts.pendingText : texts.pendingTextWithPasskey,
    until: fill(takes_effect_at === null ? texts.until : texts.untilEffect, {
      time: atTime(page.lang, expires_at, tmz),
    }),
  }
}
