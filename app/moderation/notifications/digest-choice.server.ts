/** Whether a member gets emails about news: their choice, and the link in each email that turns them off. */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { unconfirmed } from '#app/api/auth/permissions.ts'
import { requireAccount } from '#app/api/auth/require.server.ts'
import { setWaitingMail } from '#app/identity/accounts/administrators/admin-commands.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'
import type { LinkPages } from '#app/platform/http/html.server.ts'
import {
  type EndingText,
  endingToken,
  idOfEndingToken,
  registerEndingPage,
} from '#app/platform/mail/unsubscribe.server.ts'
import type { Digest } from './notification.ts'

/** A member without a row gets no emails. */
export const DIGEST_ACCOUNT: SealedColumn = {
  table: 'digests',
  column: 'account_sealed',
  key: 'account_hash',
  type: 'text',
}

/** An account as the table of digests knows it. The table alone doesn't reveal which account it is. */
export const digestAccountHash = (secrets: Secrets, accountId: string) =>
  secrets.hash('digest', accountId)

export async function ownDigest(ctx: Ctx): Promise<{ digest: Digest }> {
  const { id } = requireAccount(ctx)
  const [choice] = await ctx.db.query<{ digest: Digest }>(
    sql`select every as digest from digests where account_hash = ${digestAccountHash(ctx.secrets, id)}`,
  )
  return choice ?? { digest: 'off' }
}

/** @throws Refusal forbidden if the address isn't confirmed */
export async function chooseDigest(ctx: Ctx, digest: Digest): Promise<{ digest: Digest }> {
  const { id, isEmailConfirmed } = requireAccount(ctx)
  if (digest === 'off') {
    await endDigest(ctx, id)
    return { digest }
  }
  if (!isEmailConfirmed) throw unconfirmed(ctx.actor)
  const accountHash = digestAccountHash(ctx.secrets, id)
  await ctx.db.query(sql`
    insert into digests (account_hash, account_sealed, every)
    values (${accountHash}, ${ctx.secrets.seal(id, sealContext(DIGEST_ACCOUNT, accountHash))}, ${digest})
    on conflict (account_hash) do update set every = excluded.every`)
  return { digest }
}

/** Anyone with the emailed link may do this, even twice. */
async function endDigest(
  { db, secrets }: Pick<ServerContext, 'db' | 'secrets'>,
  accountId: string,
) {
  await db.query(
    sql`delete from digests where account_hash = ${digestAccountHash(secrets, accountId)}`,
  )
}

const WORDS: Record<EndableMails, { ask: EndingText; done: EndingText }> = {
  news: {
    ask: {
      title: 'Stop these emails?',
      text: 'One click and we’ll stop. Your news stays on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'Your news stays on the site. You can turn these emails back on in your settings.',
    },
  },
  waiting: {
    ask: {
      title: 'Unsubscribe from emails about open tasks?',
      text: 'One click and we’ll stop. Your open tasks stay on the site.',
    },
    done: {
      title: 'You’re unsubscribed',
      text: 'Your open tasks stay on the site. You can turn these emails back on in your settings.',
    },
  },
}

const BROKEN = {
  title: 'This link is incomplete',
  text: 'Please open it from the email again, or log in and turn the emails off in your settings.',
}

interface UnsubscribePage extends LinkPages {
  context: Pick<ServerContext, 'db' | 'secrets'>
}

/** Mounts /unsubscribe, where the link at the end of these mails leads. */
export const registerUnsubscribe = (app: FastifyInstance, { context, ...pages }: UnsubscribePage) =>
  registerEndingPage(app, {
    ...pages,
    path: '/unsubscribe',
    tag: 'notifications',
    broken: BROKEN,
    endingOf(token) {
      const mailed = mailedAccount(context.secrets, token)
      if (!mailed) return undefined
      const { id, mails } = mailed
      const end = () =>
        mails === 'waiting' ? setWaitingMail(context, id, false) : endDigest(context, id)
      return { ...WORDS[mails], end }
    },
  })

/** A link gives the right to turn off one kind of email for one account. */
const PURPOSES = { news: 'unsubscribe', waiting: 'unsubscribe-waiting' }
/** Emails about news, and emails about open tasks for people who run the site. */
type EndableMails = keyof typeof PURPOSES
const KINDS = Object.keys(PURPOSES) as EndableMails[]

export const unsubscribeToken = (
  secrets: Secrets,
  accountId: string,
  mails: EndableMails = 'news',
) => endingToken(secrets, PURPOSES[mails], accountId)

/** The account for which `token` turns off this kind of email. Undefined for any other token. */
export const accountOfToken = (secrets: Secrets, token: string, mails: EndableMails = 'news') =>
  idOfEndingToken(secrets, PURPOSES[mails], token)

/** Reads a token of any kind, and returns which kind it is. */
export function mailedAccount(
  secrets: Secrets,
  token: string,
): { id: string; mails: EndableMails } | undefined {
  for (const mails of KINDS) {
    const id = accountOfToken(secrets, token, mails)
    if (id) return { id, mails }
  }
  return undefined
}
