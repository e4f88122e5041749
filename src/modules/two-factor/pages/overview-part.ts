import type { ReadOverviewPart } from '../../../ui/account/overview-part.ts'
import { securityPath } from '../../../ui/paths.ts'
import { isTwoFactorOn } from './security/shared/methods.ts'
import { securityTextsFor } from './texts.ts'

/** The state of two-factor sign-in, in the account overview. */
export const twoFactorOverview: ReadOverviewPart = async (ctx, { profile }) => {
  const isOn = isTwoFactorOn(ctx, profile.user)
  return {
    row(lang) {
      const { security: texts } = securityTextsFor(lang)
      return {
        label: texts.twoFactor,
        value: isOn ? texts.on : texts.off,
        isGood: isOn,
        link: { path: securityPath, label: isOn ? texts.manage : texts.setUpNow },
      }
    },
  }
}
