/** How browsers get credentials, with the real handlers on a real database. D62. */

import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { ApiError } from '#app/api/client.ts'
import { randomScalar, serializeElement } from '#app/api/credential/group.ts'
import { present, serializePresentation, tagOf } from '#app/api/credential/profile.ts'
import { ratingContextOf } from '#app/api/credential/purposes.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { slow } from '#tests/support/amounts.ts'
import { callsOf } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { answerOfIssuer, issuerOn } from '#tests/support/issuer.ts'
import { credentialContract } from './credential.contract.ts'
import { fromBase64url, toBase64url } from './credential.ts'
import { credentialHandlers } from './feature.server.ts'
import { forgetHolder, type Holder, storedHolder, storeHolder } from './holder.data.ts'
import { forgetIssuerKeys } from './issuer-keys.data.ts'
import {
  type CredentialApi,
  credentialOf,
  credentialToShow,
  type Issued,
  issueWhenDue,
  renewCredential,
  restoreSecret,
  startOver,
} from './issuing.data.ts'
import {
  CredentialExpired,
  ForeignIssuer,
  SecretElsewhere,
  StorageBlocked,
} from './issuing-problem.data.ts'
import { changeRated, ratedBy, sendLater } from './rated.data.ts'
import { backUpSecret, restoreBackup } from './secret-backup.data.ts'
import { type Opener, openVault, sealVault } from './vault.ts'

const { as } = withDatabase()

const DANA = 'danas-profile'
const TODAY = '2026-03-14'
let day: string
/** For the server and for the browser. */
function itIs(today: string) {
  day = today
  vi.setSystemTime(`${today}T12:00:00Z`)
}
const issuer = issuerOn(() => day)
const anotherIssuer = issuerOn(() => day, createSecrets('the secret key of somebody else'))
afterAll(() => Promise.all([issuer.stop(), anotherIssuer.stop()]))

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  itIs(TODAY)
  serve(issuer)
  openBrowser()
})
afterEach(() => {
  forgetHolder(DANA)
  forgetIssuerKeys()
  vi.useRealTimers()
})

/** What the site publishes about its keys. */
const serve = (from: typeof issuer) =>
  vi.stubGlobal(
    'fetch',
    vi.fn((path: string) => answerOfIssuer(from, path)),
  )

/** Another one each time; the one that is opened is used from then on. */
function openBrowser(kept = new Map<string, string>()) {
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  return { reopen: () => openBrowser(kept) }
}

const calls = callsOf(credentialContract, credentialHandlers(issuer))
const callsOfAnother = callsOf(credentialContract, credentialHandlers(anotherIssuer))
/** @param loggedInAgo seconds since they proved who they are */
function today(ctx: Ctx, loggedInAgo: number): Ctx {
  const now = new Date(`${day}T12:00:00Z`)
  const account = ctx.actor.account && {
    ...ctx.actor.account,
    authenticatedAt: now.getTime() / 1000 - loggedInAgo,
  }
  return { ...ctx, now: () => now, actor: { ...ctx.actor, account } }
}
/** The day that each request reads. */
const apiOf = (ctx: Ctx, { bound = calls, loggedInAgo = 60 } = {}) =>
  ((...asked: Parameters<CredentialApi>) =>
    bound(today(ctx, loggedInAgo))(...asked)) as CredentialApi
/** A session stolen 45 minutes after the person signed in. */
const STOLEN = { loggedInAgo: 45 * 60 }

/** What is sent to the server on the way, and may be lost there. */
function watched(api: CredentialApi, around: (send: () => Promise<unknown>) => Promise<unknown>) {
  const sent: string[] = []
  const watchedApi = async (endpoint: string, input: { body?: { request?: string } } = {}) => {
    const send = () => api(endpoint as never, input as never) as Promise<unknown>
    if (!endpoint.startsWith('POST /api/v1/my/credential')) return send()
    sent.push(input.body?.request ?? '')
    return around(send)
  }
  return { api: watchedApi as never as CredentialApi, sent }
}

const ACME = ratingContextOf('acme')
const tagIn = ({ credential }: Issued) => toBase64url(serializeElement(tagOf(credential.m1, ACME)))

async function isGood({ quarter, credential }: Issued) {
  const message = new TextEncoder().encode('five stars')
  const presentation = serializePresentation(present(credential, ACME, message, randomScalar))
  const shown = await issuer.verify(
    { kind: 'ratings', quarter },
    { presentationContext: ACME, message, presentation },
  )
  return shown !== undefined
}

describe('dana’s first rating', () => {
  test('dana’s browser gets a credential, keeps it, and asks for one once a quarter', () =>
    as('dana', async (ctx) => {
      const { api, sent } = watched(apiOf(ctx), (send) => send())
      const first = await credentialOf(api, DANA)
      expect(first.quarter).toBe('2026-Q1')
      expect(await isGood(first)).toBe(true)
      const second = await credentialOf(api, DANA)
      expect(tagIn(second)).toBe(tagIn(first))
      expect(await isGood(second)).toBe(true)
      expect(sent).toHaveLength(1)
    }))

  test('dana’s browser asks for the keys like anyone’s, without saying who she is', () =>
    as('dana', async (ctx) => {
      await credentialOf(apiOf(ctx), DANA)
      expect(fetch).toHaveBeenCalledWith('/.well-known/kettle-issuer.json', {
        credentials: 'omit',
        cache: 'no-cache',
      })
    }))

  test('a lost answer leads to a renewal with the same secret', () =>
    as('dana', async (ctx) => {
      const lost = watched(apiOf(ctx), async (send) => {
        await send()
        throw new TypeError('Failed to fetch')
      })
      await expect(credentialOf(lost.api, DANA)).rejects.toThrow('Failed to fetch')
      const secret = storedHolder(DANA)?.m1
      const issued = await credentialOf(apiOf(ctx), DANA)
      expect(storedHolder(DANA)).toMatchObject({ m1: secret, credential: { quarter: '2026-Q1' } })
      expect(await isGood(issued)).toBe(true)
    }))

  test('a request that never arrived is sent again with the same commitment', () =>
    as('dana', async (ctx) => {
      const lost = watched(apiOf(ctx), async () => {
        throw new TypeError('Failed to fetch')
      })
      await expect(credentialOf(lost.api, DANA)).rejects.toThrow('Failed to fetch')
      const again = watched(apiOf(ctx), (send) => send())
      await credentialOf(again.api, DANA)
      // 33 bytes.
      expect(again.sent[0]?.slice(0, 44)).toBe(lost.sent[0]?.slice(0, 44))
      expect(again.sent[0]).not.toBe(lost.sent[0])
    }))

  test('a browser that can’t store anything asks for nothing, as its rating could never be changed', () =>
    as('dana', async (ctx) => {
      vi.stubGlobal('localStorage', {
        getItem: () => null,
        setItem: () => {
          throw new DOMException('No', 'SecurityError')
        },
        removeItem: () => {},
      })
      const { api, sent } = watched(apiOf(ctx), (send) => send())
      await expect(credentialOf(api, DANA)).rejects.toThrow(StorageBlocked)
      expect(sent).toEqual([])
      expect(storedHolder(DANA)).toBeNull()
    }))

  test('employers get no credential, and neither do people without a confirmed address', async () => {
    await as('erin', (ctx) =>
      expect(credentialOf(apiOf(ctx), DANA)).rejects.toMatchObject({ status: 403 }),
    )
    await as('dana', async (ctx) => {
      const account = { ...(ctx.actor.account as object), isEmailConfirmed: false }
      const unconfirmed = { ...ctx, actor: { ...ctx.actor, account } } as Ctx
      await expect(credentialOf(apiOf(unconfirmed), DANA)).rejects.toMatchObject({ status: 403 })
    })
  })

  test('ada, who signs in next at dana’s browser, has another secret', async () => {
    const danas = await as('dana', (ctx) => credentialOf(apiOf(ctx), DANA))
    const adas = await as('ada', (ctx) => credentialOf(apiOf(ctx), 'adas-profile'))
    expect(tagIn(adas)).not.toBe(tagIn(danas))
  })

  test('nonsense in the storage counts as nothing', () => {
    for (const text of ['', '{', '7', '{"m1":"short","r":"short"}']) {
      localStorage.setItem(`kettle-holder:${DANA}`, text)
      expect(storedHolder(DANA)).toBeNull()
    }
  })
})

describe('the next credential', () => {
  test('dana’s next credential has the same secret and therefore the same tags', () =>
    as('dana', async (ctx) => {
      const before = await credentialOf(apiOf(ctx), DANA)
      itIs('2026-04-01')
      const { api, sent } = watched(apiOf(ctx), (send) => send())
      const after = await renewCredential(api, DANA)
      expect(sent).toHaveLength(1)
      expect(after.quarter).toBe('2026-Q2')
      expect(await isGood(after)).toBe(true)
      expect(tagIn(after)).toBe(tagIn(before))
    }))

  test('dana’s next credential comes at its own time in the last month, whether she rates or not', () =>
    as('dana', async (ctx) => {
      const { api, sent } = watched(apiOf(ctx), (send) => send())
      await issueWhenDue(api, DANA)
      const { renewAt = 0 } = storedHolder(DANA)?.credential ?? {}
      expect(new Date(renewAt).toISOString()).toMatch(/^2026-06/)
      itIs('2026-05-31')
      await issueWhenDue(api, DANA)
      expect(sent).toHaveLength(1)
      vi.setSystemTime(renewAt)
      day = new Date(renewAt).toISOString().slice(0, 10)
      await issueWhenDue(api, DANA)
      expect(sent).toHaveLength(2)
      expect(storedHolder(DANA)?.credential?.quarter).toBe('2026-Q2')
      // Another tab whose time it was, too.
      await issueWhenDue(api, DANA)
      expect(sent).toHaveLength(2)
    }))

  test.each(['2026-04-01', '2026-06-30', '2026-09-14'])(
    'dana’s rating on %s asks for no credential, even if the quarter has turned or the last one has expired',
    (date) =>
      as('dana', async (ctx) => {
        const { api, sent } = watched(apiOf(ctx), (send) => send())
        await credentialOf(api, DANA)
        itIs(date)
        vi.mocked(fetch).mockClear()
        await credentialOf(api, DANA)
        expect(sent).toHaveLength(1)
        expect(fetch).not.toHaveBeenCalled()
      }),
  )

  test('dana’s rating waits once her last credential has expired, and goes some time after the next one comes', () =>
    as('dana', async (ctx) => {
      const api = apiOf(ctx)
      const first = await credentialOf(api, DANA)
      itIs('2026-06-30')
      expect(await isGood(credentialToShow(DANA))).toBe(true)
      itIs('2026-07-01')
      expect(() => credentialToShow(DANA)).toThrow(CredentialExpired)
      const company = { id: 'acme', name: 'Acme', path: '/acme' }
      sendLater(DANA, company, { rating: null, formerIds: [] })
      changeRated(
        DANA,
        'acme',
        (it) => it && { ...it, outgoing: { rating: null, needsCredential: true } },
      )
      await issueWhenDue(api, DANA)
      expect(tagIn(credentialToShow(DANA))).toBe(tagIn(first))
      const { dueAt = 0 } = ratedBy(DANA).acme ?? {}
      expect(dueAt - Date.now()).toBeGreaterThanOrEqual(5 * 60_000)
      changeRated(DANA, 'acme', () => undefined)
    }))
})

describe('another device', () => {
  const words: Opener = { kind: 'words', bits: new Uint8Array(16).fill(45) }
  const secretOf = ({ m1, r }: Holder) => ({ m1: fromBase64url(m1), r: fromBase64url(r) })
  const sealedBy = async (opener: Opener) =>
    toBase64url(await sealVault(secretOf(storedHolder(DANA) as Holder), [opener]))

  test('dana’s twelve words restore her secret on another device, and other words don’t', () =>
    as('dana', async (ctx) => {
      const api = apiOf(ctx)
      const first = await credentialOf(api, DANA)
      await api('PUT /api/v1/my/credential/vault', { body: { sealed: await sealedBy(words) } })
      openBrowser()
      await expect(credentialOf(api, DANA)).rejects.toThrow(SecretElsewhere)
      expect(storedHolder(DANA)).toBeNull()
      const { vault } = await api('GET /api/v1/my/credential')
      const bytes = fromBase64url(vault as string)
      const others: Opener = { kind: 'words', bits: new Uint8Array(16) }
      expect(await openVault(bytes, others)).toBeUndefined()
      const opened = await openVault(bytes, words)
      if (!opened) throw new Error('The words do not open it')
      const brought = await restoreSecret(api, DANA, opened)
      expect(tagIn(brought)).toBe(tagIn(first))
      expect(await isGood(await credentialOf(api, DANA))).toBe(true)
    }))

  test('dana’s first backup is stored as it comes, and another one after a recent proof', () =>
    as('dana', async (ctx) => {
      await credentialOf(apiOf(ctx), DANA)
      // As from a version whose secrets came without a backup.
      await ctx.db.query(sql`delete from credential_vaults`)
      const api = apiOf(ctx, STOLEN)
      const sealed = await sealedBy(words)
      await api('PUT /api/v1/my/credential/vault', { body: { sealed } })
      const another = { body: { sealed: await sealedBy(words) } }
      await expect(api('PUT /api/v1/my/credential/vault', another)).rejects.toMatchObject({
        code: 'reauthentication-needed',
      })
      expect((await api('GET /api/v1/my/credential')).vault).toBe(sealed)
      await apiOf(ctx)('PUT /api/v1/my/credential/vault', another)
      expect((await api('GET /api/v1/my/credential')).vault).toBe(another.body.sealed)
    }))

  test('only one of two browsers that begin at once has the secret, and the other restores it', () =>
    as('dana', async (ctx) => {
      const phone = openBrowser()
      const laptop = openBrowser()
      let first: Issued | undefined
      const slow = watched(apiOf(ctx), async (send) => {
        phone.reopen()
        first = await credentialOf(apiOf(ctx), DANA)
        laptop.reopen()
        return send()
      })
      await expect(credentialOf(slow.api, DANA)).rejects.toThrow(SecretElsewhere)
      expect(storedHolder(DANA)).toMatchObject({ isRefused: true })
      phone.reopen()
      const secret = secretOf(storedHolder(DANA) as Holder)
      laptop.reopen()
      const brought = await restoreSecret(apiOf(ctx), DANA, secret)
      expect(tagIn(brought)).toBe(tagIn(first as Issued))
      expect(storedHolder(DANA)?.isRefused).toBeUndefined()
    }))

  test('a secret that isn’t the account’s doesn’t replace the one in the browser', () =>
    as('dana', async (ctx) => {
      await credentialOf(apiOf(ctx), DANA)
      const own = storedHolder(DANA)
      const another = { m1: new Uint8Array(32).fill(3), r: new Uint8Array(32).fill(4) }
      await expect(restoreSecret(apiOf(ctx), DANA, another)).rejects.toThrow(SecretElsewhere)
      expect(storedHolder(DANA)).toEqual(own)
    }))
})

describe('the first backup', () => {
  const vaultOf = async (ctx: Ctx) => (await apiOf(ctx)('GET /api/v1/my/credential')).vault
  const opens = async (vault: string | null, bits = '') =>
    (await openVault(fromBase64url(vault ?? ''), { kind: 'words', bits: fromBase64url(bits) })) !==
    undefined
  const words = () => storedHolder(DANA)?.words?.bits

  test('dana’s first backup goes along with her first credential, and her browser keeps its words', () =>
    as('dana', async (ctx) => {
      const asked: string[] = []
      const api = apiOf(ctx)
      const noting = ((endpoint: never, input: never) => {
        asked.push(endpoint)
        return api(endpoint, input)
      }) as never as CredentialApi
      await issueWhenDue(noting, DANA)
      expect(asked).toEqual(['GET /api/v1/my/credential', 'POST /api/v1/my/credential'])
      expect(storedHolder(DANA)).toMatchObject({ hasBackup: true })
      expect(await opens(await vaultOf(ctx), words())).toBe(true)
    }))

  test('a backup whose answer was lost is recognized by its words and stays', () =>
    as('dana', async (ctx) => {
      const lost = watched(apiOf(ctx), async (send) => {
        await send()
        throw new TypeError('Failed to fetch')
      })
      await expect(issueWhenDue(lost.api, DANA)).rejects.toThrow('Failed to fetch')
      expect(storedHolder(DANA)?.hasBackup).toBeUndefined()
      const vault = await vaultOf(ctx)
      await issueWhenDue(apiOf(ctx), DANA)
      expect(storedHolder(DANA)).toMatchObject({ hasBackup: true })
      expect(await vaultOf(ctx)).toBe(vault)
      expect(await opens(vault, words())).toBe(true)
    }))

  test('a browser from before there were backups makes one at its next renewal', () =>
    as('dana', async (ctx) => {
      await issueWhenDue(apiOf(ctx), DANA)
      const { words: _, hasBackup, ...older } = storedHolder(DANA) as Holder
      storeHolder(DANA, older)
      await ctx.db.query(sql`delete from credential_vaults`)
      await renewCredential(apiOf(ctx), DANA)
      expect(storedHolder(DANA)).toMatchObject({ hasBackup: true })
      expect(await opens(await vaultOf(ctx), words())).toBe(true)
    }))

  test('a first backup never replaces an existing one, and the browser then has no words to show', () =>
    as('dana', async (ctx) => {
      await issueWhenDue(apiOf(ctx), DANA)
      const { words: first, hasBackup, ...older } = storedHolder(DANA) as Holder
      const vault = await vaultOf(ctx)
      storeHolder(DANA, { ...older, words: { bits: toBase64url(new Uint8Array(16)) } })
      await renewCredential(apiOf(ctx), DANA)
      expect(words()).toBeUndefined()
      expect(storedHolder(DANA)).toMatchObject({ hasBackup: true })
      // Stored by another device between this one's question and its request.
      const late = ((endpoint: string, input: never) =>
        endpoint.startsWith('GET')
          ? { isCommitted: true, anewFrom: null, vault: null }
          : apiOf(ctx)(endpoint as never, input)) as never as CredentialApi
      storeHolder(DANA, older)
      await renewCredential(late, DANA)
      expect(words()).toBeUndefined()
      expect(await vaultOf(ctx)).toBe(vault)
    }))

  test('a secret from another device needs no backup, and a new one needs a new backup', () =>
    as('dana', async (ctx) => {
      await issueWhenDue(apiOf(ctx), DANA)
      const { m1, r } = storedHolder(DANA) as Holder
      const before = await vaultOf(ctx)
      openBrowser()
      await restoreSecret(apiOf(ctx), DANA, { m1: fromBase64url(m1), r: fromBase64url(r) })
      expect(words()).toBeUndefined()
      expect(await vaultOf(ctx)).toBe(before)
      openBrowser()
      itIs('2026-10-01')
      await startOver(apiOf(ctx), DANA)
      expect(await opens(await vaultOf(ctx), words())).toBe(true)
    }))

  test('a browser without https makes no backup, because it can’t seal', () =>
    as('dana', async (ctx) => {
      vi.stubGlobal('crypto', { getRandomValues: crypto.getRandomValues.bind(crypto) })
      await issueWhenDue(apiOf(ctx), DANA)
      expect(storedHolder(DANA)?.hasBackup).toBeUndefined()
      expect(words()).toBeUndefined()
      expect(await vaultOf(ctx)).toBeNull()
    }))
})

describe('a lost secret', () => {
  test('dana can replace a lost secret half a year later, and not before', () =>
    as('dana', async (ctx) => {
      const api = apiOf(ctx)
      const first = await credentialOf(api, DANA)
      openBrowser()
      itIs('2026-09-30')
      await expect(startOver(api, DANA)).rejects.toMatchObject({ status: 409 })
      expect(storedHolder(DANA)).toBeNull()
      expect(await api('GET /api/v1/my/credential')).toMatchObject({ anewFrom: '2026-10-01' })
      itIs('2026-10-01')
      const second = await startOver(api, DANA)
      expect(await isGood(second)).toBe(true)
      expect(tagIn(second)).not.toBe(tagIn(first))
      expect(tagIn(await credentialOf(api, DANA))).toBe(tagIn(second))
    }))

  test('the device that still has a replaced secret learns so at its next renewal', () =>
    as('dana', async (ctx) => {
      const former = openBrowser()
      await credentialOf(apiOf(ctx), DANA)
      openBrowser()
      itIs('2026-10-01')
      await startOver(apiOf(ctx), DANA)
      former.reopen()
      await expect(issueWhenDue(apiOf(ctx), DANA)).rejects.toThrow(SecretElsewhere)
      expect(storedHolder(DANA)).toMatchObject({ isRefused: true })
      await expect(credentialOf(apiOf(ctx), DANA)).rejects.toThrow(SecretElsewhere)
      expect(() => credentialToShow(DANA)).toThrow(SecretElsewhere)
    }))

  test('dana’s lost secret takes its backup with it', () =>
    as('dana', async (ctx) => {
      const api = apiOf(ctx)
      await credentialOf(api, DANA)
      const words: Opener = { kind: 'words', bits: new Uint8Array(16).fill(45) }
      await backUpSecret(api, DANA, [words])
      itIs('2026-09-30')
      await expect(startOver(api, DANA)).rejects.toMatchObject({ status: 409 })
      expect((await api('GET /api/v1/my/credential')).vault).not.toBeNull()
      itIs('2026-10-01')
      await startOver(api, DANA)
      const { vault } = await api('GET /api/v1/my/credential')
      expect(await openVault(fromBase64url(vault ?? ''), words)).toBeUndefined()
    }))

  slow.test('the device that still has a replaced secret can’t back it up and says so', () =>
    as('dana', async (ctx) => {
      const former = openBrowser()
      await credentialOf(apiOf(ctx), DANA)
      openBrowser()
      itIs('2026-10-01')
      await startOver(apiOf(ctx), DANA)
      const words: Opener = { kind: 'words', bits: new Uint8Array(16).fill(45) }
      await backUpSecret(apiOf(ctx), DANA, [words])
      const { vault } = await apiOf(ctx)('GET /api/v1/my/credential')
      former.reopen()
      await expect(backUpSecret(apiOf(ctx), DANA, [words])).rejects.toThrow(SecretElsewhere)
      expect(storedHolder(DANA)).toMatchObject({ isRefused: true })
      expect((await apiOf(ctx)('GET /api/v1/my/credential')).vault).toBe(vault)
      expect(await restoreBackup(apiOf(ctx), DANA, words)).toBe('restored')
    }),
  )

  test('dana keeps her new secret even if the answer to starting over is lost', () =>
    as('dana', async (ctx) => {
      await credentialOf(apiOf(ctx), DANA)
      openBrowser()
      itIs('2026-10-01')
      const lost = watched(apiOf(ctx), async (send) => {
        await send()
        throw new TypeError('Failed to fetch')
      })
      await expect(startOver(lost.api, DANA)).rejects.toThrow('Failed to fetch')
      expect(await isGood(await credentialOf(apiOf(ctx), DANA))).toBe(true)
    }))
})

describe('a session that’s stolen long after signing in', () => {
  const wantsReauthentication = { code: 'reauthentication-needed' }

  test('a stolen session gets no first secret, and dana’s continues once she confirms it’s her', () =>
    as('dana', async (ctx) => {
      await expect(credentialOf(apiOf(ctx, STOLEN), DANA)).rejects.toMatchObject(
        wantsReauthentication,
      )
      expect(await apiOf(ctx)('GET /api/v1/my/credential')).toMatchObject({ isCommitted: false })
      const drawn = storedHolder(DANA)?.m1
      expect(await isGood(await credentialOf(apiOf(ctx), DANA))).toBe(true)
      expect(storedHolder(DANA)?.m1).toBe(drawn)
    }))

  test('a stolen session can’t replace dana’s lost secret, and her backup stays', () =>
    as('dana', async (ctx) => {
      const own = openBrowser()
      await credentialOf(apiOf(ctx), DANA)
      const words: Opener = { kind: 'words', bits: new Uint8Array(16).fill(45) }
      await backUpSecret(apiOf(ctx), DANA, [words])
      openBrowser()
      itIs('2026-10-01')
      await expect(startOver(apiOf(ctx, STOLEN), DANA)).rejects.toMatchObject(wantsReauthentication)
      expect(storedHolder(DANA)).toBeNull()
      expect((await apiOf(ctx)('GET /api/v1/my/credential')).vault).not.toBeNull()
      own.reopen()
      expect(await isGood(await renewCredential(apiOf(ctx, STOLEN), DANA))).toBe(true)
    }))

  test('a stolen session renews only dana’s own secret, and restores it only with her words', () =>
    as('dana', async (ctx) => {
      const first = await credentialOf(apiOf(ctx), DANA)
      const words: Opener = { kind: 'words', bits: new Uint8Array(16).fill(45) }
      await backUpSecret(apiOf(ctx), DANA, [words])
      openBrowser()
      expect(await restoreBackup(apiOf(ctx, STOLEN), DANA, words)).toBe('restored')
      expect(tagIn(await renewCredential(apiOf(ctx, STOLEN), DANA))).toBe(tagIn(first))
    }))
})

describe('the issuer’s key', () => {
  test('an issuer’s key that changed is refused until dana accepts it', () =>
    as('dana', async (ctx) => {
      await credentialOf(apiOf(ctx), DANA)
      const secret = storedHolder(DANA)?.m1
      serve(anotherIssuer)
      const { api, sent } = watched(apiOf(ctx, { bound: callsOfAnother }), (send) => send())
      await expect(renewCredential(api, DANA)).rejects.toThrow(ForeignIssuer)
      expect(sent).toEqual([])
      forgetIssuerKeys()
      await renewCredential(api, DANA)
      expect(sent).toHaveLength(1)
      expect(storedHolder(DANA)?.m1).toBe(secret)
    }))

  test('a response by another key than the issuer’s is refused, as it’d be a key for one person', () =>
    as('dana', async (ctx) => {
      const api = apiOf(ctx, { bound: callsOfAnother })
      await expect(credentialOf(api, DANA)).rejects.toThrow(ForeignIssuer)
      expect(storedHolder(DANA)?.credential).toBeUndefined()
    }))

  test.each([
    ['no keys', { version: 'KettleARCV1-P256', keys: [] }],
    ['another version', { version: 'KettleARCV2-P256', keys: [] }],
    ['nothing', {}],
  ])('an issuer’s file with %s is refused', (_, told) =>
    as('dana', async (ctx) => {
      vi.stubGlobal('fetch', async () => new Response(JSON.stringify(told)))
      await expect(credentialOf(apiOf(ctx), DANA)).rejects.toThrow('can’t be read')
    }),
  )
})

test('a refusal shows the server’s words', () =>
  as('vera', (ctx) => expect(credentialOf(apiOf(ctx), DANA)).rejects.toBeInstanceOf(ApiError)))
