import type { Context, SecondFactor } from '../context.ts'
import { AppError } from '../lib/errors.ts'
import type { LoadedModule } from './load-modules.ts'

export const noSecondFactor: SecondFactor = {
  requiredMethods: async () => undefined,
  isConfirmed: async () => false,
  isRequiredOf: () => false,
  lacksConfirmation: () => false,
  begin: async (_change, { methods }) => ({ methods, sent: false, expiresIn: 0 }),
  reauthenticate: async () => {
    throw new AppError('module_not_installed')
  },
  offersSignIn: () => false,
  signsIn: async () => false,
  followAddress: async () => {},
  removeAll: async () => {},
  remembersBrowsers: () => false,
  forgetBrowsers: async () => {},
}

/** If the module has lost its tables, only users who do not need a second factor may sign in. */
const damagedSecondFactor = ({ isRequiredOf, lacksConfirmation }: SecondFactor): SecondFactor => ({
  ...noSecondFactor,
  async requiredMethods(_db, user, proof) {
    if (proof === 'passkey') return undefined
    if (isRequiredOf(user)) throw new AppError('UNAVAILABLE')
    return undefined
  },
  isRequiredOf,
  lacksConfirmation,
})

export function activeSecondFactor(ctx: Context, modules: readonly LoadedModule[]): SecondFactor {
  const module = modules.find(({ secondFactor }) => secondFactor)
  const factor = module?.secondFactor?.(ctx)
  if (!module || !factor) return noSecondFactor
  const isInstalled = () => ctx.modules.isInstalled(module.id)
  const damaged = damagedSecondFactor(factor)
  const asks = () => {
    if (!ctx.modules.isEnabled(module.id)) return noSecondFactor
    if (ctx.modules.isDamaged(module.id)) return damaged
    return isInstalled() ? factor : noSecondFactor
  }
  return {
    requiredMethods: (...given) => asks().requiredMethods(...given),
    isConfirmed: (...given) => asks().isConfirmed(...given),
    isRequiredOf: (...given) => asks().isRequiredOf(...given),
    lacksConfirmation: (...given) => asks().lacksConfirmation(...given),
    begin: (...given) => asks().begin(...given),
    async reauthenticate(...given) {
      const refusal = ctx.modules.refusalOf({ id: module.id, component: 'core' })
      if (refusal) throw new AppError(refusal)
      await factor.reauthenticate(...given)
    },
    offersSignIn: () => asks().offersSignIn(),
    signsIn: (...given) => asks().signsIn(...given),
    // Methods remain while the module is disabled.
    followAddress: (...given) => (isInstalled() ? factor : noSecondFactor).followAddress(...given),
    removeAll: (...given) => (isInstalled() ? factor : noSecondFactor).removeAll(...given),
    // These need no tables of the module.
    remembersBrowsers: () => factor.remembersBrowsers(),
    forgetBrowsers: (...given) => factor.forgetBrowsers(...given),
  }
}
