/**
 * Companies that somebody rates in this browser just now. A rating names nobody; so from opening its form until some
 * time after it was sent, nothing that says who asks may name its company. All tabs keep to it, also after a reload.
 */
import { useLayoutEffect } from 'react'
import { storedValue } from '../ui/stored-value.ts'

/** By company until when, in milliseconds since 1970; null until `endQuiet` says when. */
type Quiet = Record<string, number | null>

const MINUTE = 60_000
/** Which a form that stays open renews each minute. */
const OPEN_MS = 10 * MINUTE
const CLOSED_MS = [MINUTE, 5 * MINUTE] as const
/** Long enough to say nothing about when it was sent. */
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

/** By chance that nobody foresees. Milliseconds since 1970. */
export function momentIn([from, until]: readonly [number, number]) {
  const [drawn = 0] = crypto.getRandomValues(new Uint32Array(1))
  return from + Math.floor((drawn / 2 ** 32) * (until - from))
}

/** At random, in milliseconds since 1970. @param range from and to, in milliseconds from now on */
export function randomTime([least, most]: readonly [number, number]) {
  const now = Date.now()
  return momentIn([now + least, now + most])
}

/** Never for less long than it is quiet already. @param until null until `endQuiet` says when */
export const beQuietAbout = (companyId: string, until: number | null) =>
  store.change(({ [companyId]: known = 0, ...others }) => ({
    ...current(others),
    [companyId]: until === null || known === null ? null : Math.max(until, known),
  }))

/** What was to be sent is sent, or never will be. */
export const endQuiet = (companyId: string, until: number) =>
  store.change((all) => current({ ...all, [companyId]: until }))

const current = (all: Quiet): Quiet =>
  Object.fromEntries(
    Object.entries(all).filter(([, until]) => until === null || until > Date.now()),
  )

/** Nothing of it stays here. */
export const forgetQuiet = () => store.change(() => ({}))

/** What is over leaves nothing behind. */
function quietNow() {
  const [all, now] = [store.current(), current(store.current())]
  if (Object.keys(now).length < Object.keys(all).length) store.change(current)
  return Object.entries(now)
}

/** Whether somebody rates any company here just now. */
export const isQuietAboutAny = () => quietNow().length > 0

/** @param text an address, a body, an id */
export const isQuietAbout = (text: string) => endsOf(text).length > 0

function endsOf(text: string) {
  const lower = text.toLowerCase()
  return quietNow().flatMap(([id, until]) =>
    lower.includes(id) ? [until ?? Number.POSITIVE_INFINITY] : [],
  )
}

/** Goes on once no company that the text names is rated here. @throws what `signal` is aborted with */
export async function whenNotQuiet(text: string, signal?: AbortSignal): Promise<void> {
  for (let ends = endsOf(text); ends.length > 0; ends = endsOf(text)) {
    await changeOr(Math.max(...ends) - Date.now(), signal)
    signal?.throwIfAborted()
  }
}

/** What lies far ahead, or has no end, is looked at again in between. */
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

/** While the form of a company is open, from before anything on the page asks: effects that ask come after this one. */
export function useQuietWhile(isRating: boolean, companyId: string) {
  useLayoutEffect(() => {
    if (!isRating) return
    const renew = () => beQuietAbout(companyId, Date.now() + OPEN_MS)
    renew()
    const timer = setInterval(renew, MINUTE)
    return () => {
      clearInterval(timer)
      // What was given meanwhile stays quiet until it is sent.
      endForm(companyId)
    }
  }, [isRating, companyId])
}

const endForm = (companyId: string) =>
  store.change((all) => ({
    ...current(all),
    [companyId]: all[companyId] === null ? null : randomTime(CLOSED_MS),
  }))
