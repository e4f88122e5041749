import { type AccountArea, accountText, renderAccountLayout } from '../../../../../ui/account/layout.ts'
import { onDay } from '../../../../../ui/account/when.ts'
import { problemText } from '../../../../../ui/shared/problem-text.ts'
import type { PageContext } from '../../../../../ui/shared/render.ts'
import { textsFor as coreTexts, fill, fillPlural } from '../../../../../ui/texts/index.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { proofAddress } from '../proof/view.ts'
import { isActive, type ListedMethod, type ListedMethodKind, methodNameOf } from '../shared/methods.ts'
import { securityPaths } from '../shared/paths.ts'

export interface ListPage {
  area: AccountArea
  methods: ListedMethod[]
  offered: ListedMethodKind[]
  isOn: boolean
  isRequired: boolean
  timeZone: string | null
  forms: { on: string; recovery: string; remove: string }
  done?: string | undefined
  problem?: string | undefined
}

export function listPage(data: ListPage, page: PageContext): string {
  const { account } = coreTexts(page.lang)
  const { security: texts } = securityTextsFor(page.lang)
  const { area, methods, forms } = data
  const [first, second] = methods.filter(isActive)
  const hasApp = methods.some((method) => method.method === 'totp' && isActive(method))
  const isOn = data.isOn || data.isRequired
  const shown = (method: ListedMethod) => ({
    ...rowOf(method, texts),
    isFirst: isOn && second !== undefined && method.id === first?.id,
    about: aboutOf(method, texts, (time) => onDay(page.lang, time, data.timeZone)),
  })
  const recovery = methods.find(({ method }) => method === 'recovery')
  return renderAccountLayout(
    area,
    {
      template: new URL('./list.eta', import.meta.url),
      title: texts.title,
      done: accountText({ ...account.done, ...texts.done }, data.done),
      data: {
        texts,
        paths: securityPaths,
        forms,
        problem: problemText(page.lang, data.problem, texts.rejections),
        isOn,
        isRequired: data.isRequired,
        hasMethod: first !== undefined,
        methods: methods.filter(({ method }) => method !== 'passkey' && method !== 'recovery').map(shown),
        passkeys: methods.filter(({ method }) => method === 'passkey').map(shown),
        offersPasskey: data.offered.includes('passkey'),
        offers: offerable
          .filter((kind) => data.offered.includes(kind))
          .map((kind) => ({
            href: addAddress(kind),
            label: kind === 'totp' && hasApp ? texts.offers.anotherTotp : texts.offers[kind],
            icon: iconOf[kind],
            text: texts.offers[`${kind}Text`],
          })),
        addPasskey: addAddress('passkey'),
        recovery: recovery && fillPlural(page.lang, texts.recoveryLeft, recovery.metadata.remaining ?? 0),
      },
    },
    page,
  )
}

type Texts = PageTexts['security']

const rowOf = (method: ListedMethod, texts: Texts) => ({
  id: method.id,
  name: methodNameOf(texts, method),
  icon: iconOf[method.method],
  isFinished: method.status === 'active',
  removeAt: method.status === 'active' && proofAddress({ kind: 'remove', target: method }),
  // A passkey is created in a single step, so there is no page to finish its enrolment.
  finishAt: method.status === 'pending_setup' && method.method !== 'passkey' && finishAddress(method),
})

function aboutOf(
  { created_at, last_used_at, status }: ListedMethod,
  texts: Texts,
  day: (time: string) => string,
): string {
  const added = fill(texts.added, { date: day(created_at) })
  if (status !== 'active') return added
  return `${added}, ${last_used_at ? fill(texts.used, { date: day(last_used_at) }) : texts.neverUsed}`
}

const iconOf: Record<ListedMethodKind, string> = {
  totp: 'phone',
  email: 'mail',
  sms: 'message',
  passkey: 'passkey',
  recovery: 'key',
}

/** The kinds that are offered in addition to passkeys, the most secure first. */
const offerable = ['totp', 'email', 'sms'] as const

const addAddress = (kind: ListedMethodKind): string => `${securityPaths.add}?method=${kind}`
const finishAddress = ({ id }: ListedMethod): string => `${securityPaths.finish}?method_id=${encodeURIComponent(id)}`
