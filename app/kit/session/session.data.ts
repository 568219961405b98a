/** Who sits at this browser. Light, for the first load: what asks the server comes on demand. */
import { useSyncExternalStore } from 'react'
import type { LiveSession, MY_KEY, SessionTools } from './live-session.data.ts'
import { hasMailLink } from './mail-link.ts'
import type { Me } from './me.contract.ts'
import { whenNotQuiet } from './quiet-companies.data.ts'
import type { ANONYMOUS_KEY } from './visitor-id.data.ts'

/** Where auth-js keeps the session in local storage; first-script.js knows it too. */
const SESSION_KEY = 'kettle-auth'
/** Of visitors: see visitor-id.data.ts, which comes when it is needed. */
const VISITOR_KEY: typeof ANONYMOUS_KEY = 'anonymousUserId'
const MINE: typeof MY_KEY = 'me'

export interface Session {
  /** Loading: a session is stored, but nobody has said yet whose. */
  status: 'loading' | 'signed-out' | 'signed-in'
  /** Absent while it loads, for visitors, and when the server could not say. */
  me?: Me
  /** A session is stored, but its second step is to be done: until then the server sees a visitor. */
  isHalfway?: true
}

/** Which view of the auth dialog was asked for, and where to go afterwards. Spec §2.3. */
export interface AuthRequest {
  view: 'login' | 'signup'
  redirect: string
}

const NOBODY: Session = { status: 'signed-out' }

let tools: SessionTools
let live: Promise<LiveSession> | undefined
let session = NOBODY
let request: AuthRequest | undefined
const proofs: ((isProved: boolean) => void)[] = []
const watchers = new Set<() => void>()

/** Begins to follow the session; call it once, in the browser. */
export function startSession(given: Pick<SessionTools, 'api' | 'queryClient' | 'askMyPage'>) {
  tools = { ...given, show, storageKey: SESSION_KEY }
  const wake = () => {
    if (live) return
    show({ status: 'loading' })
    // Offline: who it is stays open until a request asks again.
    liveSession().catch(() => {})
  }
  // A link from a mail leads here; the reset page looks after its own.
  if (stored(SESSION_KEY) || (location.pathname !== '/reset-password' && hasMailLink())) wake()
  // A tab that has auth-js hears of the others through auth-js.
  addEventListener('storage', ({ key, oldValue, newValue }) => {
    if (key === SESSION_KEY && newValue) wake()
    // Another tab brought somebody else's posts here; what a first post makes changes nothing that is shown.
    if (key === VISITOR_KEY && oldValue) given.queryClient.resetQueries({ queryKey: [MINE] })
  })
}

/** Who is known to have been at this browser before anything is loaded or asked. */
export function storedSession(): 'member' | 'visitor' | undefined {
  if (stored(SESSION_KEY)) return 'member'
  return stored(VISITOR_KEY) ? 'visitor' : undefined
}

/** The session with its client of the auth service, whose code comes with the first call. */
export function liveSession(): Promise<LiveSession> {
  live ??= import('./live-session.data.ts')
    .then((it) => it.followSession(tools))
    .catch((error) => {
      live = undefined
      throw error
    })
  return live
}

/** What requests prove themselves with; see `fetchTransport`. */
export const credentials = {
  /** Undefined at once for visitors. */
  token: async () => (stored(SESSION_KEY) ? (await liveSession()).token() : undefined),
  renew: async (refused: string) => (await liveSession()).renew(refused),
  prove: askForProof,
  visitorId: async (isWriting: boolean) =>
    stored(VISITOR_KEY) ??
    (isWriting ? (await import('./visitor-id.data.ts')).anonymousId() : null),
  mayName: whenNotQuiet,
}

/** Who is here, anew whenever that changes. While hydrating nobody is, as on the server. */
export const useSession = () => useSyncExternalStore(watch, currentSession, nobody)

/** Opens the auth dialog, from anywhere; without a request it closes. */
export function askToSignIn(asked?: AuthRequest) {
  request = asked
  announce()
}

/** What the auth dialog was asked for. */
export const useAuthRequest = () => useSyncExternalStore(watch, currentRequest, noRequest)

/** Opens the dialog in which a person proves again who they are; whether they did. */
export function askForProof(): Promise<boolean> {
  return new Promise((resolve) => {
    proofs.push(resolve)
    announce()
  })
}

/** Whoever waits for it goes on. */
export function endProof(isProved: boolean) {
  for (const resolve of proofs.splice(0)) resolve(isProved)
  announce()
}

/** Whether the dialog is asked for. */
export const useIsProofWanted = () => useSyncExternalStore(watch, isProofWanted, noProof)

function show(next: Session) {
  session = next
  announce()
}

/** What this browser keeps; null also where it stores nothing. */
export function stored(key: string) {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

const currentSession = () => session
const currentRequest = () => request
const noRequest = () => undefined
const isProofWanted = () => proofs.length > 0
const noProof = () => false
const nobody = () => NOBODY

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
  }
}

function announce() {
  for (const watcher of watchers) watcher()
}

/**
 * What menus show: everything until it is known who is here. From employers the styles hide it until then (`employer:`
 * in app.css). Spec §6.
 */
export const maySee = (what: 'seeCompanySearch' | 'seeDiscussionsLink', me?: Pick<Me, 'can'>) =>
  !me || me.can.includes(what)

const nameOf = ({ status, me }: Session) => me?.profile?.id ?? status

/** Tells people apart in the keys of answers. */
export const useSessionKey = () => nameOf(useSession())
