export const reasonIn = (reason: string | undefined) => ({ ...(reason?.trim() && { reason: reason.trim() }) })
