/** Who wrote something, in a form that leads back to nobody without the site's key. S5. */
import type { Secrets } from '#app/platform/database/secrets.server.ts'

/** A browser's own secret: 128 random bits. S4. */
const ANONYMOUS_ID = /^anon-[0-9a-f]{32}$/

export const authorKeyOfAccount = (secrets: Secrets, accountId: string) =>
  secrets.hash('author', 'account', accountId)

/** Undefined for what is no anonymous id. */
export const authorKeyOfVisitor = (secrets: Secrets, anonymousId: string | undefined) =>
  // Stryker disable next-line ConditionalExpression: "undefined" is no anonymous id either.
  anonymousId !== undefined && ANONYMOUS_ID.test(anonymousId)
    ? secrets.hash('author', 'anonymous', anonymousId)
    : undefined
