import type { AccountVisit } from '../../../../../ui/account/account-visit.ts'
import type { ReadSecurityPart } from '../../../../../ui/account/security-part.ts'
import { methodOf } from '../../../methods/index.ts'
import { securityTextsFor } from '../../texts.ts'
import {
  findListedMethods,
  isTwoFactorOn,
  isTwoFactorRequired,
  type ListedMethod,
  type ListedMethodKind,
  offeredTo,
} from '../shared/methods.ts'
import { addAddress, removalAddress, securityPaths } from '../shared/paths.ts'
import { sectionsOf } from './view.ts'

/** The switch, the methods and the recovery codes, below the passkeys. */
export const securityPart: ReadSecurityPart = async (ctx, member) => {
  const { profile, sign } = member
  const [methods, offered] = await Promise.all([findListedMethods(member), offeredTo(member)])
  const { user } = profile
  const data = {
    methods,
    offered: offered.filter((kind) => hasRoom(methods, kind)),
    isOn: user.two_factor,
    isRequired: isTwoFactorRequired(ctx, user),
    timeZone: user.tmz,
    forms: formsOf(sign),
  }
  return {
    sections: (lang) => sectionsOf(data, lang),
    outcomes(lang) {
      const { done, rejections } = securityTextsFor(lang).security
      return { done, rejections }
    },
    addAddress,
    removalAddress: isTwoFactorOn(ctx, user) ? removalAddress : undefined,
  }
}

const formsOf = (sign: AccountVisit['sign']) => ({
  on: sign(securityPaths.on),
  recovery: sign(securityPaths.recovery),
  remove: sign(securityPaths.remove),
})

const hasRoom = (methods: ListedMethod[], kind: ListedMethodKind): boolean =>
  methods.filter(({ method, status }) => method === kind && status === 'active').length < methodOf(kind).maxPerUser
