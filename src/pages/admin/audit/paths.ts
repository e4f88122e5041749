export const auditPath = '/admin/audit'
export const auditExportPath = `${auditPath}/export`
