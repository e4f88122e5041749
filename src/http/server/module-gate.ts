import type { preHandlerHookHandler } from 'fastify'
import type { ModuleGate, ModuleState } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'

export const moduleGate =
  (modules: ModuleState, gate: ModuleGate): preHandlerHookHandler =>
  (_request, _reply, done) => {
    const rejection = modules.rejectionOf(gate)
    if (rejection === undefined) return done()
    const details = [{ field: 'component', message: `${gate.id}/${gate.component}` }]
    done(new AppError(rejection, rejection === 'module_not_installed' ? { details } : {}))
  }
