/** WordPress hashes a password as it arrives in a request, in which `addslashes` has escaped it. */
export const slashed = (password: string): string => password.replace(/['"\\]/g, '\\$&')
