import type { preHandlerHookHandler } from 'fastify'
import type { ModuleGate, ModuleState } from '../../context.ts'
import { AppError } from '../../lib/errors.ts'

/** Lets a request through to its handler while the component is installed and switched on. Asked after the schema. */
export const moduleGate =
  (modules: ModuleState, gate: ModuleGate): preHandlerHookHandler =>
  (_request, _reply, done) => {
    const refusal = modules.refusalOf(gate)
    if (refusal === undefined) return done()
    const details = [{ field: 'component', message: `${gate.id}/${gate.component}` }]
    done(new AppError(refusal, refusal === 'module_not_installed' ? { details } : {}))
  }
