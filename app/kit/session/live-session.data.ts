/** The auth service's client and its events. Heavy, so session.data.ts loads it. */
import {
  type AuthChangeEvent,
  AuthClient,
  isAuthRefreshDiscardedError,
  isAuthRetryableFetchError,
} from '@supabase/auth-js'
import type { QueryClient } from '@tanstack/react-query'
import { type Client, retryUnlessRefused } from '#app/api/client.ts'
import { navigate } from '../ui/address.ts'
import { toast } from '../ui/toast.ts'
import { awaitsSecondFactor, type SessionWithFactors } from './awaited-factor.ts'
import { consumeMailLink, SIGN_UP_KEY } from './mail-link.ts'
import { MY_KEY } from './my-key.ts'
import type { Me, MeContract } from './session.contract.ts'
import { consumeSignUpPage, forgetSignUpPage } from './sign-up-page.ts'
import { fetchByThisClock } from './this-clock.ts'

export type Auth = InstanceType<typeof AuthClient>

export interface SessionTools {
  api: Client<MeContract>
  /** Who is here, with their data for the open page. */
  fetchMyPage: () => Promise<Me>
  queryClient: QueryClient
  storageKey: string
  show: (session: {
    status: 'loading' | 'signed-out' | 'signed-in'
    me?: Me
    awaitsSecondFactor?: true
  }) => void
}

export interface LiveSession {
  auth: Auth
  api: SessionTools['api']
  token: () => Promise<string | undefined>
  /** A token to replace a refused one, or undefined when the session has ended. */
  renew: (refused: string) => Promise<string | undefined>
  loadMe: () => Promise<void>
}

/** Creates the tab's only auth client, and shows what it reports. Spec §4, §7.1. */
export function followSession(tools: SessionTools): LiveSession {
  const { api, queryClient, storageKey, fetchMyPage } = tools
  const isResetPage = location.pathname === '/reset-password'
  const auth = new AuthClient({
    url: `${location.origin}/auth/v1`,
    fetch: fetchByThisClock,
    storageKey,
    flowType: 'pkce',
    persistSession: true,
    autoRefreshToken: true,
    // A reset link is for its mail's account, not the one signed in here (S8).
    detectSessionInUrl: !isResetPage,
  })
  let userId: string | undefined
  /** Whose answers we show. We ignore another person's late answers. */
  let isKnown = false
  let needsSecondStep = false
  /** What the server last said. Another tab or browser can change it. */
  let isUnconfirmed = false
  /** What the stored session says, so the next page knows before its first paint. */
  let isCalledEmployer = false

  const show: SessionTools['show'] = (session) => {
    if (session.status !== 'loading') {
      noteAdministrator(session.me)
      if (session.status === 'signed-in') forgetSignUp()
      if (session.me?.isEmailConfirmed) forgetSignUpPage()
    }
    tools.show(session)
  }

  const token = async () => (await auth.getSession()).data.session?.access_token

  async function loadMe() {
    const loadedFor = userId
    const me = await queryClient
      .fetchQuery({
        queryKey: [MY_KEY],
        queryFn: () => (isKnown ? api('GET /api/v1/me') : fetchMyPage()),
        staleTime: 0,
        retry: retryUnlessRefused,
      })
      .catch((error) => {
        // If the person signed out meanwhile, or there was no answer, there's no profile and no
        // administrator. Spec §8.
        if (loadedFor === userId) console.warn('Couldn’t load the profile', error)
        return undefined
      })
    if (loadedFor === undefined || loadedFor !== userId) return
    if (me?.awaitsSecondFactor) return showSecondStep()
    isKnown = true
    needsSecondStep = false
    if (isUnconfirmed && me?.isEmailConfirmed) {
      toast(CONFIRMED)
      // Answers from before someone could do more are outdated.
      queryClient.invalidateQueries({
        queryKey: [MY_KEY],
        predicate: ({ queryKey }) => queryKey.length > 1,
      })
    }
    isUnconfirmed = me?.isEmailConfirmed === false
    // The person got a company, or lost it.
    if (me && (me.userType === 'employer') !== isCalledEmployer) auth.refreshSession()
    show({ status: 'signed-in', me: me?.profile ? me : undefined })
  }

  function showSecondStep() {
    isKnown = false
    needsSecondStep = true
    queryClient.removeQueries({ queryKey: [MY_KEY] })
    show({ status: 'signed-out', awaitsSecondFactor: true })
  }

  function follow(event: AuthChangeEvent, current: Followed | null) {
    const id = current?.user.id
    if (current === null || id === undefined) {
      userId = undefined
      isKnown = false
      needsSecondStep = false
      isUnconfirmed = false
      if (event === 'SIGNED_OUT') forgetSignUpPage()
      queryClient.removeQueries({ queryKey: [MY_KEY] })
      show({ status: 'signed-out' })
      return
    }
    isCalledEmployer = current.user.user_metadata?.user_type === 'employer'
    // SIGNED_IN fires at every load, and whenever the tab gets the focus (S9).
    const wantsStep = awaitsSecondFactor(current)
    if (id === userId && needsSecondStep === wantsStep && !isUnconfirmed && !CHANGES.has(event))
      return
    if (id !== userId) {
      userId = id
      isKnown = false
      needsSecondStep = false
      isUnconfirmed = false
      queryClient.removeQueries({ queryKey: [MY_KEY] })
    }
    if (wantsStep) return showSecondStep()
    if (!isKnown && !needsSecondStep) show({ status: 'loading' })
    loadMe()
  }

  // Later, because a call to auth-js inside its callback waits for itself.
  auth.onAuthStateChange((event, session) => {
    setTimeout(follow, 0, event, session)
  })
  if (!isResetPage) followMailLink(auth)

  async function renew(refused: string) {
    const current = await token()
    if (current && current !== refused) return current
    const { data, error } = await auth.refreshSession()
    if (data.session) return data.session.access_token
    if (isAuthRefreshDiscardedError(error)) return token()
    if (isAuthRetryableFetchError(error)) throw error
    await auth.signOut({ scope: 'local' })
    toast({ ...SESSION_ENDED })
    return undefined
  }

  return { auth, api, token, renew, loadMe }
}

type Followed = SessionWithFactors & {
  user: { id: string; user_metadata?: { user_type?: unknown } }
}

/** Events after which a person's permissions may differ. */
const CHANGES = new Set<AuthChangeEvent>(['USER_UPDATED', 'MFA_CHALLENGE_VERIFIED'])

/** Spec §3. Only decides what's shown; the server never trusts it (S3). */
function noteAdministrator(me: Me | undefined) {
  try {
    if (me?.role === 'admin' || me?.role === 'owner') localStorage.setItem('isAdmin', 'true')
    else localStorage.removeItem('isAdmin')
  } catch {
    // Browsers that can't store anything do without.
  }
}

/** Call it once the session says whose browser this is. */
function forgetSignUp() {
  try {
    localStorage.removeItem(SIGN_UP_KEY)
  } catch {
    // The browser can't store anything, so there's nothing to do.
  }
}

/** One id, so ten refused requests show one toast. */
const SESSION_ENDED = {
  id: 'session-ended',
  title: 'You’ve been signed out',
  description: 'Your session has ended. Log in to continue.',
} as const

function followMailLink(auth: Auth) {
  const { query, fragment } = consumeMailLink()
  const code = query.get('code')
  if (query.has('error_code') || fragment.includes('error_code=')) toast(LINK_IS_OVER)
  else if (code) redeemCode(auth, code)
}

/** One id, because the link's tab gets this event twice. */
const CONFIRMED = { id: 'email-confirmed', title: 'Your email is confirmed' } as const

const LINK_IS_OVER = {
  title: 'This link no longer works',
  description: 'It has expired or was already used. Ask for a new one.',
  variant: 'destructive',
} as const

/** The code signs in the browser that started the sign-up, unless signing up has already done that. */
async function redeemCode(auth: Auth, code: string) {
  // Read before the session arrives, which clears it.
  const page = consumeSignUpPage()
  await auth.exchangeCodeForSession(code)
  const { data } = await auth.getSession()
  if (!data.session) {
    toast({
      title: 'Log in to continue',
      description: 'You opened this link in another browser, or it was already used.',
    })
    return
  }
  const { data: fresh } = await auth.getUser()
  if (!fresh.user?.email_confirmed_at) return
  toast(CONFIRMED)
  if (page && location.pathname === '/') navigate(page, { replace: true })
}
