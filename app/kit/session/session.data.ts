/** Who uses this browser. It's light for the first load. Code that asks the server loads on demand. */
import { useEffect, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/stored-value.ts'
import type { LiveSession, SessionTools } from './live-session.data.ts'
import { hasMailLink } from './mail-link.ts'
import { MY_KEY } from './my-key.ts'
import { whenNotQuiet } from './quiet-companies.data.ts'
import type { Me } from './session.contract.ts'
import type { ANONYMOUS_KEY } from './visitor-id.data.ts'

/** Where auth-js stores the session. first-script.js knows it too. */
const SESSION_KEY = 'kettle-auth'
/** The visitor's id. visitor-id.data.ts loads when it's needed. */
const VISITOR_KEY: typeof ANONYMOUS_KEY = 'anonymousUserId'

export interface Session {
  /** `loading`: a session is stored, but we don't know whose yet. */
  status: 'loading' | 'signed-out' | 'signed-in'
  /** Missing while loading, for visitors, and when the server couldn't say. */
  me?: Me
  /** Whether the second step is due. Until then, the server treats the person as a visitor. */
  awaitsSecondFactor?: true
}

/** The requested view of the auth dialog, and where to go afterwards. Spec §2.3. */
export interface AuthRequest {
  view: 'login' | 'signup'
  redirect: string
  /** Why people need an account. The sign-up shows it. */
  reason?: string
  /** The code of an invitation to sign up. */
  invitation?: string
}

const NOBODY: Session = { status: 'signed-out' }

let tools: SessionTools
let live: Promise<LiveSession> | undefined
let session = NOBODY
let request: AuthRequest | undefined
const reauthentications: ((hasSucceeded: boolean) => void)[] = []
const { watch, tell: announce } = createWatchers()

/** Starts to follow the session. Call it once, in the browser. */
export function startSession(settings: Pick<SessionTools, 'api' | 'queryClient' | 'fetchMyPage'>) {
  tools = { ...settings, show, storageKey: SESSION_KEY }
  const wake = () => {
    if (live) return
    show({ status: 'loading' })
    // If we're offline, the session stays unknown until the next request retries.
    liveSession().catch(() => {})
  }
  // An emailed link. The reset page handles its own.
  if (stored(SESSION_KEY) || (location.pathname !== '/reset-password' && hasMailLink())) wake()
  // If a tab has auth-js, it learns about other tabs from that.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === SESSION_KEY && newValue) wake()
    // Another tab restored someone else's posts here. A first post's new id doesn't change what's shown.
    if (key === VISITOR_KEY && oldValue) settings.queryClient.resetQueries({ queryKey: [MY_KEY] })
  })
}

/** Who was here, known before anything loads. */
export function storedSession(): 'member' | 'visitor' | undefined {
  if (stored(SESSION_KEY)) return 'member'
  return stored(VISITOR_KEY) ? 'visitor' : undefined
}

/** The session and its auth client, loaded by the first call. */
export function liveSession(): Promise<LiveSession> {
  live ??= import('./live-session.data.ts')
    .then((it) => it.followSession(tools))
    .catch((error) => {
      live = undefined
      throw error
    })
  return live
}

/** What `fetchTransport` needs. */
export const authenticator = {
  /** Immediately undefined for visitors. */
  token: async () => (stored(SESSION_KEY) ? (await liveSession()).token() : undefined),
  renew: async (refused: string) => (await liveSession()).renew(refused),
  reauthenticate: askToReauthenticate,
  visitorId: async (isWriting: boolean) =>
    stored(VISITOR_KEY) ??
    (isWriting ? (await import('./visitor-id.data.ts')).anonymousId() : null),
  waitUntilLinkable: whenNotQuiet,
}

/**
 * Sends requests that no contract can declare: files, uploads and streams. Sends them once more if the token has
 * expired.
 */
export async function fetchAsMe(
  url: string,
  init: RequestInit & { headers?: Record<string, string> } = {},
): Promise<Response> {
  const send = (token?: string) =>
    fetch(url, {
      ...init,
      credentials: 'same-origin',
      headers: { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) },
    })
  const token = await authenticator.token()
  const response = await send(token)
  return response.status === 401 && token ? send(await authenticator.renew(token)) : response
}

/** While hydrating, no one is signed in, as on the server. */
export const useSession = () => useSyncExternalStore(watch, currentSession, nobody)

/** Opens the auth dialog, or closes it without a request. */
export function askToSignIn(wanted?: AuthRequest) {
  request = wanted
  announce()
}

export const useAuthRequest = () => useSyncExternalStore(watch, currentAuthRequest, noRequest)

/** Asks for the password again, and resolves to whether it was right. */
export function askToReauthenticate(): Promise<boolean> {
  return new Promise((resolve) => {
    reauthentications.push(resolve)
    announce()
  })
}

export function endReauthentication(hasSucceeded: boolean) {
  for (const resolve of reauthentications.splice(0)) resolve(hasSucceeded)
  announce()
}

export const useMustReauthenticate = () => useSyncExternalStore(watch, mustReauthenticate, never)

function show(next: Session) {
  session = next
  announce()
}

/** A stored text. Null if there's none, or the browser can't store anything. */
export function stored(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const currentSession = () => session
export const currentAuthRequest = () => request
const noRequest = () => undefined
const mustReauthenticate = () => reauthentications.length > 0
const never = () => false
const nobody = () => NOBODY

/**
 * What a menu shows. Until we know who's here, that's everything, and app.css's `employer:` hides it from
 * employers. Spec §6.
 */
export const maySee = (what: 'seeCompanySearch' | 'seeDiscussionsLink', me?: Pick<Me, 'can'>) =>
  !me || me.can.includes(what)

const nameOf = ({ status, me }: Session) => me?.profile?.id ?? status

/** A query key for each person. */
export const useSessionKey = () => nameOf(useSession())

/** Whether we know who's here, so we can request their own data. */
export function useIsKnown(): boolean {
  const { status } = useSession()
  // While hydrating, everyone is a visitor.
  const [isMounted, setMounted] = useState(false)
  useEffect(() => setMounted(true), [])
  return isMounted && status !== 'loading'
}

/**
 * Shows what first-script.js hid from signed-in people (`known:`) and employers (`employer:`). Put it beside the
 * screen. Otherwise, people whose session is known early would see the visitors' page.
 */
export function UnveilWhenKnown() {
  const { status, me } = useSession()
  const isKnown = useIsKnown()
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    if (isKnown) classList.remove('has-session')
    // If the server can't say, we go by the session.
    if (isKnown && (me || status === 'signed-out')) classList.remove('is-employer')
  }, [isKnown, me, status])
  return null
}

/**
 * A key for everyone who can have notifications: members, and anyone who wrote from this browser. Null for someone
 * who wrote nothing here, undefined until we know.
 */
export function useReader(): string | null | undefined {
  const { status, me } = useSession()
  // The first post creates the id, so check at each render.
  const hasWritten = useSyncExternalStore(watchNothing, hasVisitorId, notYet)
  if (status === 'signed-in') return me?.profile?.id ?? status
  return status === 'loading' ? undefined : hasWritten && status
}

const watchNothing = () => notYet
const notYet = () => undefined

function hasVisitorId() {
  try {
    return 'anonymousUserId' in localStorage || null
  } catch {
    return null
  }
}
