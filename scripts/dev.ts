import { readEnvironment } from '../src/cli/environment.ts'
import { serve } from '../src/cli/serve.ts'
import { readFilesEveryTime } from '../src/ui/shared/render.ts'

// `npm run dev`: Node.js watches the imported modules and restarts this file when one of them changes.
readFilesEveryTime()
await serve(await readEnvironment('service'))
