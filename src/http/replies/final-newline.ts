import type { Config } from '../../config/load.ts'
import type { Http } from '../server/create-server.ts'

/** JSON ends with a newline in development, where people read it in a terminal. Texts made beforehand carry it already. */
export const finalNewline = ({ NODE_ENV }: Pick<Config, 'NODE_ENV'>): '' | '\n' =>
  NODE_ENV === 'development' ? '\n' : ''

/** A hook costs every reply some time: it exists only where there is something to add. */
export function addFinalNewlines(http: Http, config: Config): void {
  const end = finalNewline(config)
  if (end === '') return
  http.addHook('onSend', async (_request, reply, payload) => {
    const isJson = String(reply.getHeader('content-type')).startsWith('application/json')
    return isJson && typeof payload === 'string' && !payload.endsWith(end) ? payload + end : payload
  })
}
