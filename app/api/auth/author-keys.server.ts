import type { Secrets } from '#app/platform/database/secrets.server.ts'

/** A browser's own secret: 128 random bits. S4. Author keys lead back to no one without the site's key. S5. */
const ANONYMOUS_ID = /^anon-[0-9a-f]{32}$/

export const authorKeyOfAccount = (secrets: Secrets, accountId: string) =>
  secrets.hash('author', 'account', accountId)

/** Returns undefined for invalid ids. */
export const authorKeyOfVisitor = (secrets: Secrets, anonymousId: string | undefined) =>
  // Stryker disable next-line ConditionalExpression: "undefined" is no anonymous id either.
  anonymousId !== undefined && ANONYMOUS_ID.test(anonymousId)
    ? secrets.hash('author', 'anonymous', anonymousId)
    : undefined
