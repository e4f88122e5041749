import { respond } from '../process/calls.ts'
import { type ClosedLoad, loadClosed } from './closed.ts'
import { loadPaced } from './paced.ts'
import { prepare } from './requests.ts'
import { stayingAwake } from './stay-awake.ts'

// The load generator. It runs in its own process, on a different core from the measured server.
respond('prepare', prepare)
respond('closed', (load: ClosedLoad) => stayingAwake(() => loadClosed(load)))
respond('paced', loadPaced)
