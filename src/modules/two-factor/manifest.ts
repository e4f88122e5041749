import { defineModule } from '../../hub/define-module.ts'
import { checksums } from './checksums.ts'

export const twoFactor = defineModule({
  directory: new URL('./', import.meta.url),
  checksums,
  isEnabled: () => true,
  routes: () => () => {},
})
