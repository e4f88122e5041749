import { answer } from '../process/calls.ts'
import { type ClosedLoad, loadClosed } from './closed.ts'
import { loadPaced } from './paced.ts'
import { prepare } from './requests.ts'
import { stayingAwake } from './stay-awake.ts'

// The load generator, which runs in a separate process on a different core than the measured server.
answer('prepare', prepare)
answer('closed', (load: ClosedLoad) => stayingAwake(() => loadClosed(load)))
answer('paced', loadPaced)
