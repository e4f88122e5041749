import { atTime } from '../../account/when.ts'
import { inFlow } from '../../flow/flow.ts'
import { ownPath, type PageContext, renderPage } from '../../shared/render.ts'
import { fill, type PageLanguage, type PageTexts, textsFor } from '../../texts/index.ts'

export interface ConfirmLinkPage {
  purpose: keyof PageTexts['confirm'] | ModulePurpose
  action: string
  token: string
  formToken: string
  /** Whether the flow began in another browser, where the user can enter the code instead. */
  isElsewhere?: boolean
  /** The account that the link verifies, if another browser may have created it. */
  registration?: Registration | undefined
  /** Whether the link was sent to the new address of an account, whose owner may not have asked for the change. */
  isNewInbox?: boolean
}

export interface Registration {
  email: string
  /** In ISO 8601 format. */
  time: string
  /** Such as `Firefox on Linux`. */
  device: string | undefined
}

/** The purpose of a module-defined link. */
export interface ModulePurpose {
  texts(lang: string): { title: string; sentence: string; button: string }
  /** True if the response is a file, in which case the page remains visible. */
  staysOpen: boolean
}

/** Opening a link must not change anything, because email scanners also open links. */
export function confirmLinkPage(data: ConfirmLinkPage, page: PageContext): string {
  const { confirm, returning } = textsFor(page.lang)
  const { purpose } = data
  const [texts, staysOpen] =
    typeof purpose === 'string' ? [confirm[purpose], false] : [purpose.texts(page.lang), purpose.staysOpen]
  const form = { action: inFlow(ownPath(data.action), page.flow), token: data.token, formToken: data.formToken }
  return renderPage(
    {
      template: new URL('./confirm.eta', import.meta.url),
      title: texts.title,
      shape: 'card',
      scripts: ['once.js', ...(staysOpen ? ['leave-address.js'] : [])],
      data: {
        texts,
        form,
        aside: data.isElsewhere && returning.byCode,
        stranger: strangerOf(data, page.lang),
      },
    },
    page,
  )
}

/** The options of a recipient who did not request the email. */
function strangerOf({ registration, isNewInbox }: ConfirmLinkPage, lang: PageLanguage) {
  const { registration: texts, emailChange } = textsFor(lang)
  if (isNewInbox) return { effect: emailChange.cancels, notMe: texts.notMe }
  if (!registration) return undefined
  const { email, time, device } = registration
  const values = { email, time: atTime(lang, time, null), device: device ?? '' }
  const about = fill(device === undefined ? texts.created : texts.createdWith, values)
  return { about, effect: texts.removes, notMe: texts.notMe }
}
