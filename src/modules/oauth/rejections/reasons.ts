/** Each has a sentence in the texts of the console. Those of RFC 6749, 5.2, have the names of their error codes. */
export const clientRejectionReasons = [
  ...['secret', 'not_live', 'account_ended', 'rate_limited'],
  ...['invalid_request', 'invalid_client', 'invalid_scope', 'invalid_target'],
  ...['redirect_uri', 'unsupported_response_type', 'not_allowed', 'unmet', 'invalid_grant'],
  ...['unauthorized_client', 'unsupported_grant_type', 'foreign_token', 'foreign_revocation'],
] as const
export type ClientRejectionReason = (typeof clientRejectionReasons)[number]
