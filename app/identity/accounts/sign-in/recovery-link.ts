/** The link of a mail that resets a password. Runs in the browser: no I/O here. */

export interface RecoveryTokens {
  access_token: string
  refresh_token: string
}

/** The tokens in the fragment of a reset link; undefined when it is no link that works. Spec §5. */
export function recoveryTokens(fragment: string): RecoveryTokens | undefined {
  const told = new URLSearchParams(fragment.replace(/^#/, ''))
  const access_token = told.get('access_token')
  const refresh_token = told.get('refresh_token')
  if (told.has('error') || told.has('error_code') || told.get('type') !== 'recovery')
    return undefined
  return access_token && refresh_token ? { access_token, refresh_token } : undefined
}
