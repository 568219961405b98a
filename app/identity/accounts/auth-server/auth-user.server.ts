import { addressOf, shownAddresses } from '#app/api/auth/addresses.server.ts'
import { firstLetter } from '#app/kit/writing/text.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { AccountRow } from '../account-queries.server.ts'
import type { Factor } from '../second-factors/factor-rows.server.ts'

/**
 * Users as the field's client expects them. Times are the first of a month, because we keep nothing
 * finer. `app_metadata` is ours, and clients can't write it.
 */
export const APP_METADATA = { provider: 'email', providers: ['email'] } as const

/** The account's own view, for its person or an operator's program. */
export const userView = (secrets: Secrets, account: AccountRow, factors: Factor[] = []) =>
  userOf({
    ...account,
    ...shownAddresses(secrets, account),
    factors,
  })

/** A factor as the field's client lists it, without its secret. */
export function factorView(
  { madeInMonth }: Pick<AccountRow, 'madeInMonth'>,
  { id, name, kind, isVerified }: Factor,
) {
  const month = monthTime(madeInMonth)
  return {
    id,
    friendly_name: name,
    factor_type: kind,
    status: isVerified ? ('verified' as const) : ('unverified' as const),
    created_at: month,
    updated_at: month,
  }
}

const monthTime = (month: string) => `${month}T00:00:00Z`

/** Administrators see an address's first letter and its domain only. S28. */
export function maskedUserView(secrets: Secrets, account: AccountRow) {
  const [name = '', domain = ''] = addressOf(secrets, account).split('@')
  const { new_email, user_metadata, identities, factors, ...user } = userOf({
    ...account,
    email: `${firstLetter(name)}…@${domain}`,
  })
  return { ...user, user_metadata: {}, identities: [] }
}

type UserParts = Pick<
  AccountRow,
  'id' | 'isEmailConfirmed' | 'userMetadata' | 'isSuspended' | 'madeInMonth'
> & { email: string; newEmail?: string | null; factors?: Factor[] }

export function userOf(account: UserParts) {
  const { id, email, newEmail, isEmailConfirmed } = account
  const month = monthTime(account.madeInMonth)
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    ...(isEmailConfirmed ? { email_confirmed_at: month, confirmed_at: month } : {}),
    ...(newEmail ? { new_email: newEmail } : {}),
    ...(account.isSuspended ? { banned_until: '9999-12-31T00:00:00Z' } : {}),
    app_metadata: APP_METADATA,
    user_metadata: account.userMetadata,
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: isEmailConfirmed, sub: id },
        provider: 'email',
        email,
        created_at: month,
        updated_at: month,
      },
    ],
    created_at: month,
    updated_at: month,
    is_anonymous: false,
    factors: (account.factors ?? []).map((factor) => factorView(account, factor)),
  }
}
