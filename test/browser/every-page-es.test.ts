import { lookAtEveryPage } from './pages/look-at-every-page.ts'

lookAtEveryPage('es', 'site')
