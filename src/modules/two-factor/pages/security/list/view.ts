import { onDay } from '../../../../../ui/account/when.ts'
import { fill, fillPlural, type PageLanguage } from '../../../../../ui/texts/index.ts'
import { type SecurityTexts as PageTexts, securityTextsFor } from '../../texts.ts'
import { proofAddress } from '../proof/view.ts'
import { isActive, type ListedMethod, type ListedMethodKind, methodNameOf } from '../shared/methods.ts'
import { addAddress, securityPaths } from '../shared/paths.ts'

export interface Sections {
  methods: ListedMethod[]
  offered: ListedMethodKind[]
  isOn: boolean
  isRequired: boolean
  timeZone: string | null
  forms: { on: string; recovery: string; remove: string }
}

export function sectionsOf(data: Sections, lang: PageLanguage) {
  const { security: texts } = securityTextsFor(lang)
  const { methods, forms } = data
  const [first, second] = methods.filter(isActive)
  const hasApp = methods.some((method) => method.method === 'totp' && isActive(method))
  const hasPasskey = methods.some((method) => method.method === 'passkey' && isActive(method))
  const isOn = data.isOn || data.isRequired
  const shown = (method: ListedMethod) => ({
    ...rowOf(method, texts),
    isFirst: isOn && second !== undefined && method.id === first?.id,
    about: aboutOf(method, texts, (time) => onDay(lang, time, data.timeZone)),
  })
  const recovery = methods.find(({ method }) => method === 'recovery')
  return {
    template: new URL('./sections.eta', import.meta.url),
    data: {
      texts,
      paths: securityPaths,
      forms,
      isOn,
      state: stateOf(texts, {
        isOn,
        hasPasskey,
        hasOther: methods.some((method) => isOther(method) && isActive(method)),
      }),
      isRequired: data.isRequired,
      hasMethod: first !== undefined,
      noMethodsText: isOn && hasPasskey ? texts.onlyPasskeys : texts.noMethodsText,
      // The page lists the passkeys itself.
      methods: methods.filter(isOther).map(shown),
      offers: offerable
        .filter((kind) => data.offered.includes(kind))
        .map((kind) => ({
          href: addAddress(kind),
          label: kind === 'totp' && hasApp ? texts.offers.anotherTotp : texts.offers[kind],
          icon: iconOf[kind],
          text: texts.offers[`${kind}Text`],
        })),
      recovery: recovery && fillPlural(lang, texts.recoveryLeft, recovery.metadata.remaining ?? 0),
    },
  }
}

type Texts = PageTexts['security']

const isOther = ({ method }: ListedMethod): boolean => method !== 'passkey' && method !== 'recovery'

function stateOf(texts: Texts, has: { isOn: boolean; hasPasskey: boolean; hasOther: boolean }): string {
  const { isOn, hasPasskey, hasOther } = has
  if (isOn) return hasPasskey ? texts.onTextWithPasskeys : texts.onText
  const off = hasOther ? texts.offWithMethods : texts.offText
  return hasPasskey ? `${off} ${texts.passkeysCount}` : off
}

const rowOf = (method: ListedMethod, texts: Texts) => ({
  id: method.id,
  name: methodNameOf(texts, method),
  icon: iconOf[method.method],
  isFinished: method.status === 'active',
  removeAt: method.status === 'active' && proofAddress({ kind: 'remove', target: method }),
  finishAt: method.status === 'pending_setup' && finishAddress(method),
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

const finishAddress = ({ id }: ListedMethod): string => `${securityPaths.finish}?method_id=${encodeURIComponent(id)}`
