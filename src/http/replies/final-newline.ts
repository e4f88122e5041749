import type { Config } from '../../config/load.ts'
import type { HttpServer } from '../server/create-server.ts'

/** In development, JSON ends with a newline for terminals. Prepared texts contain it already. */
export const finalNewline = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): '' | '\n' =>
  NODE_ENV === 'development' ? '\n' : ''

/** Registered only if needed, because hooks slow down every response. */
export function addFinalNewlines(http: HttpServer, config: Config): void {
  const end = finalNewline(config)
  if (end === '') return
  http.addHook('onSend', async (_request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    return isJson && typeof payload === 'string' && !payload.endsWith(end) ? payload + end : payload
  })
}
