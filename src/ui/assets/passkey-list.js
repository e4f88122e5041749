// On pages where passkeys or the names that browsers show for them change, the browser learns of it.
import { tellBrowser } from './signal-passkeys.js'

tellBrowser()
