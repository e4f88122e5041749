// On the page that lists the passkeys, the browser learns of the removed ones.
import { tellBrowser } from './signal-passkeys.js'

tellBrowser()
