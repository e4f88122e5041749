import { type AccountArea, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import { codeInput } from '../../../../../ui/fields/code-fields.ts'
import { securityPath } from '../../../../../ui/paths.ts'
import type { ResponseOf } from '../../../../../ui/shared/api-route.ts'
import { isAboutCode, problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { fillPlural } from '../../../../../ui/texts/index.ts'
import type { SetUpMethodRoute } from '../../../schemas.ts'
import { securityTextsFor } from '../../texts.ts'
import { securityPaths } from '../shared/paths.ts'
import type { SetUpKind } from './view.ts'

/** Empty if the page is opened again, because the API returns these members only once. */
type StartedSetup = Partial<Pick<ResponseOf<typeof SetUpMethodRoute>, 'secret' | 'otpauth_url' | 'qr_svg'>>

export interface FinishPage {
  area: AccountArea
  kind: SetUpKind
  methodId: string
  started: StartedSetup
  forms: { finish: string; resend: string; add: string }
  sendOutcome?: 'sent' | 'notSent' | undefined
  problem?: string | undefined
  attemptsLeft?: number | undefined
}

export function finishPage(data: FinishPage, page: PageContext): string {
  const { security, secondStep } = securityTextsFor(page.lang)
  const { kind, started, forms, attemptsLeft } = data
  const texts = security.confirm
  const words = problemText(page.lang, data.problem, security.rejections)
  const title = started.qr_svg ? texts.totp : texts.sent
  return renderAccountLayout(
    data.area,
    {
      template: new URL('./finish.eta', import.meta.url),
      title,
      scripts: ['first-field.js'],
      data: {
        title,
        texts,
        back: { href: securityPath, label: security.cancel },
        sentence: sentenceOf(data, texts),
        started,
        // Groups of four characters are easier to type. Authenticator apps ignore the spaces.
        secret: started.secret?.match(/.{1,4}/g)?.join(' '),
        kind,
        methodId: data.methodId,
        sendOutcome: data.sendOutcome && secondStep[data.sendOutcome],
        field: {
          ...codeInput,
          label: secondStep.code,
          spellcheck: 'false' as const,
          isRejected: isAboutCode(data.problem),
        },
        send: secondStep.send,
        sends: kind === 'email' || kind === 'sms',
        endsSessions: security.setUp.endsSessions,
        form: {
          formToken: forms.finish,
          problem:
            words && attemptsLeft !== undefined
              ? `${words} ${fillPlural(page.lang, secondStep.attemptsLeft, attemptsLeft)}`
              : words,
        },
        forms,
        paths: securityPaths,
      },
    },
    page,
  )
}

type Texts = ReturnType<typeof securityTextsFor>['security']['confirm']

function sentenceOf({ kind, started }: FinishPage, texts: Texts): string {
  if (kind === 'totp') return started.qr_svg ? texts.totpSentence : texts.totpAgain
  return texts.sentSentence[kind]
}
