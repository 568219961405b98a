export interface RecoveryTokens {
  access_token: string
  refresh_token: string
}

/** The tokens in a reset link's fragment. Undefined if the link doesn't work. Spec §5. */
export function recoveryTokens(fragment: string): RecoveryTokens | undefined {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''))
  const access_token = fields.get('access_token')
  const refresh_token = fields.get('refresh_token')
  if (fields.has('error') || fields.has('error_code') || fields.get('type') !== 'recovery')
    return undefined
  return access_token && refresh_token ? { access_token, refresh_token } : undefined
}
