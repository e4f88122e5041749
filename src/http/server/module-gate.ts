import type { preHandlerHookHandler } from 'fastify'
import type { ModuleGate, ModuleState } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'

export const moduleGate =
  (modules: ModuleState, gate: ModuleGate): preHandlerHookHandler =>
  (_request, _reply, done) => {
    const refusal = modules.refusalOf(gate)
    if (refusal === undefined) return done()
    const details = [{ field: 'component', message: `${gate.id}/${gate.component}` }]
    done(new AppError(refusal, refusal === 'module_not_installed' ? { details } : {}))
  }
