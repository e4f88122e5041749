/** The body of a deletion: an empty field is no reason. */
export const reasonIn = (reason: string | undefined) => ({ ...(reason?.trim() && { reason: reason.trim() }) })
