import type { Context } from '../../../../context.ts'

/** A link from another site must not preselect a role with more rights than an administrator's. */
export const mayPreselect = ({ staff }: Pick<Context, 'staff'>, role: string): boolean =>
  role === 'admin' || (staff.customRoles().some(({ key }) => key === role) && staff.covers('admin', role))
