import type { Context, SecondFactor } from '../context.ts'
import { AppError, type ErrorCode } from '../lib/errors.ts'
import { reauthenticateByPasskey } from '../passkeys/reauthenticate.ts'
import type { LoadedModule } from './define-module.ts'

export const noSecondFactor: SecondFactor = {
  requiredMethods: async () => undefined,
  methodsOf: async () => [],
  isConfirmed: async () => false,
  isRequiredOf: () => false,
  lacksConfirmation: () => false,
  begin: async (_change, { methods }) => ({ methods, sent: false, expiresIn: 0 }),
  reauthenticate: async () => {
    throw new AppError('module_not_installed')
  },
  followAddress: async () => {},
  removeAll: async () => {},
  forgetBrowsers: async () => {},
}

/** The core can check passkeys without the module. */
const withoutModule =
  (ctx: Context, rejection: ErrorCode): SecondFactor['reauthenticate'] =>
  async (view, { response }, device) => {
    if (response === undefined) throw new AppError(rejection)
    await reauthenticateByPasskey(ctx, view, response, device)
  }

/** Used if tables of the module are missing. Users who need a second factor can then sign in only with a passkey. */
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
    requiredMethods: (...input) => asks().requiredMethods(...input),
    isConfirmed: (...input) => asks().isConfirmed(...input),
    isRequiredOf: (...input) => asks().isRequiredOf(...input),
    lacksConfirmation: (...input) => asks().lacksConfirmation(...input),
    begin: (...input) => asks().begin(...input),
    async reauthenticate(...input) {
      const rejection = ctx.modules.rejectionOf({ id: module.id, component: 'core' })
      if (!rejection) return factor.reauthenticate(...input)
      await withoutModule(ctx, rejection)(...input)
    },
    // Methods remain stored while the module is disabled, so these functions require only that it is installed.
    methodsOf: (...input) => (isInstalled() ? factor : noSecondFactor).methodsOf(...input),
    followAddress: (...input) => (isInstalled() ? factor : noSecondFactor).followAddress(...input),
    removeAll: (...input) => (isInstalled() ? factor : noSecondFactor).removeAll(...input),
    // Works without the module's tables.
    forgetBrowsers: (...input) => factor.forgetBrowsers(...input),
  }
}
