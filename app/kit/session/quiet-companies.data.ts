/**
 * Companies being rated in this browser. A rating is anonymous, so from when the form opens until some time after
 * it's sent, no request that identifies the person may name the company. All tabs follow this, and reloads don't
 * end it.
 */
import { useLayoutEffect } from 'react'
import { storedValue } from '../ui/stored-value.ts'

/** When each company's quiet time ends, in milliseconds since 1970. Null until `endQuiet` sets it. */
type Quiet = Record<string, number | null>

const MINUTE = 60_000
/** An open form renews it each minute. */
const OPEN_MS = 10 * MINUTE
const CLOSED_MS = [MINUTE, 5 * MINUTE] as const
/** How long a company stays quiet after a rating was sent, which hides when that was. */
export const SENT_MS = [2 * MINUTE, 20 * MINUTE] as const

const store = storedValue('kettle-quiet', (stored): Quiet => {
  try {
    return Object.fromEntries(
      Object.entries(JSON.parse(stored ?? '{}') as Quiet).filter(
        ([, until]) => until === null || typeof until === 'number',
      ),
    )
  } catch {
    return {}
  }
})

/** Random, so no one can predict it. In milliseconds since 1970. */
export function momentIn([from, until]: readonly [number, number]) {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return from + Math.floor((drawn / 2 ** 32) * (until - from))
}

/** Random, in milliseconds since 1970. @param range from and to, in milliseconds from now */
export function randomTime([min, max]: readonly [number, number]) {
  const now = Date.now()
  return momentIn([now + min, now + max])
}

/** Never shortens the time. @param until null until `endQuiet` sets it */
export const beQuietAbout = (companyId: string, until: number | null) =>
  store.change(({ [companyId]: known = 0, ...others }) => ({
    ...current(others),
    [companyId]: until === null || known === null ? null : Math.max(until, known),
  }))

/** The rating is sent, or never will be. */
export const endQuiet = (companyId: string, until: number) =>
  store.change((all) => current({ ...all, [companyId]: until }))

const current = (all: Quiet): Quiet =>
  Object.fromEntries(
    Object.entries(all).filter(([, until]) => until === null || until > Date.now()),
  )

export const forgetQuiet = () => store.change(() => ({}))

function quietNow() {
  const [all, now] = [store.current(), current(store.current())]
  if (Object.keys(now).length < Object.keys(all).length) store.change(current)
  return Object.entries(now)
}

export const isQuietAboutAny = () => quietNow().length > 0

/** @param text an address, a body, an id */
export const isQuietAbout = (text: string) => endsOf(text).length > 0

function endsOf(text: string) {
  const lower = text.toLowerCase()
  return quietNow().flatMap(([id, until]) =>
    lower.includes(id) ? [until ?? Number.POSITIVE_INFINITY] : [],
  )
}

/** Resolves once no company that the text names is being rated here. @throws the reason of `signal` */
export async function whenNotQuiet(text: string, signal?: AbortSignal): Promise<void> {
  for (let ends = endsOf(text); ends.length > 0; ends = endsOf(text)) {
    await changeOr(Math.max(...ends) - Date.now(), signal)
    signal?.throwIfAborted()
  }
}

/** If there's no end, or a distant one, we check again in between. */
const changeOr = (ms: number, signal?: AbortSignal) =>
  new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      unwatch()
      resolve()
    }
    const unwatch = store.watch(end)
    const timer = setTimeout(end, Math.min(ms, 5 * MINUTE))
    signal?.addEventListener('abort', end, { once: true })
  })

/**
 * Keeps a company quiet while its form is open. It's a layout effect, so it runs before any effect that sends
 * requests.
 */
export function useQuietWhile(isRating: boolean, companyId: string) {
  useLayoutEffect(() => {
    if (!isRating) return
    const renew = () => beQuietAbout(companyId, Date.now() + OPEN_MS)
    renew()
    const timer = setInterval(renew, MINUTE)
    return () => {
      clearInterval(timer)
      // Companies rated meanwhile stay quiet until the ratings are sent.
      endForm(companyId)
    }
  }, [isRating, companyId])
}

const endForm = (companyId: string) =>
  store.change((all) => ({
    ...current(all),
    [companyId]: all[companyId] === null ? null : randomTime(CLOSED_MS),
  }))
