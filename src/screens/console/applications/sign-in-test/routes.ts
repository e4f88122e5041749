import { TestApplicationRoute } from '../../../../applications/sign-in-test/schemas.ts'
import type { AdminVisit } from '../../../../ui/console/admin-visit.ts'
import { call } from '../../../../ui/shared/api-route.ts'
import { type PageDeclarations, postedByAnyone, readByAnyone } from '../../../../ui/shared/declare-pages.ts'
import { applicationsPath, testPath } from '../paths.ts'
import { getShownApplication } from '../read-application.ts'
import * as schemas from '../schemas.ts'
import { type ApplicationTestPage, applicationTestPage } from './view.ts'

const path = `${applicationsPath}/:application_id/test`

export function declareTest(pages: PageDeclarations<AdminVisit>): void {
  pages.get(path, { schema: schemas.ApplicationTestPageRoute, config: readByAnyone }, (member, { params }) =>
    showTest(member, params.application_id),
  )
  pages.post(
    path,
    { schema: schemas.TestApplicationFormRoute, config: postedByAnyone },
    async (member, { params, body }) => {
      const { application_id: id } = params
      const typed = body.page?.trim() ?? ''
      const input = { params: { application_id: id }, body: typed === '' ? {} : { page: typed } }
      const response = await member.submit(testPath(id), body.form_token, call(TestApplicationRoute, input))
      if (response.ok) return showTest(member, id, { typed, result: response.body.data })
      return showTest(member, id, { typed, rejection: response.rejection }, response.status)
    },
  )
}

type State = Pick<ApplicationTestPage, 'typed' | 'result' | 'rejection'>

async function showTest(member: AdminVisit, id: string, state: State = {}, status?: number) {
  const application = await getShownApplication(member, id)
  const data = { area: member.area, application, form: member.sign(testPath(id)), ...state }
  return member.show((page) => applicationTestPage(data, page), status)
}
