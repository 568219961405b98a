/**
 * The two checkers of Spec §4: the badge's every minute, the auto-reloader's every two. The badge and the reloader
 * share a request when both check at once. They also share what they know: the first to learn about a newer build
 * stores it for both. The badge announces it. The auto-reloader's toast says that it's about to reload, and silences
 * the badge meanwhile. Each tab tells its reader once.
 */
import { createWatchers } from '../ui/stored-value.ts'
import { dismissToast, toast } from '../ui/toast.ts'
import {
  asSecondChecker,
  BADGE_CHECK_MS,
  BUILD_INFO_PATH,
  buildIn,
  CERTIFICATE_WARNING,
  CERTIFICATE_WARNING_DELAY_MS,
  type CertificateStatus,
  CHECK_TIMEOUT_MS,
  type Check,
  certificateAfter,
  FAILURES_SHOWN,
  FAVICON_PATH,
  LAST_BUILD_KEY,
  meaningOf,
  type PublishedBuild,
  RELOAD_AFTER_MS,
  RELOADER_CHECK_MS,
  RELOADING,
  SAFE_LOOK_MS,
  UNAVAILABLE_LOG_MS,
  UPDATE_LOGS,
} from './update.ts'

interface UpdateState {
  /** The newest build this page knows about. At first, it's the page's own. */
  published: PublishedBuild
  isNew: boolean
  /** What the auto-reloader is doing: nothing, waiting for someone to finish, or about to reload. */
  reloader: 'idle' | 'waiting' | 'reloading'
  certificate: CertificateStatus
  /** Spec §9. */
  isHidden: boolean
}

interface Surroundings {
  own: PublishedBuild
  /** Whether a reload would lose nothing. */
  isSafe: () => boolean
  reload: () => void
}

export type Updates = ReturnType<typeof startUpdates>

export function startUpdates({ own, isSafe, reload }: Surroundings) {
  let state: UpdateState = {
    published: own,
    isNew: false,
    reloader: 'idle',
    certificate: 'unknown',
    isHidden: false,
  }
  const { watch, tell } = createWatchers()
  const set = (change: Partial<UpdateState>) => {
    state = { ...state, ...change }
    tell()
  }

  const checkBuild = createBuildCheck()

  // Known from when the page arrives, because the build someone is looking at isn't news.
  let known = storedBuild()
  if (known === undefined) {
    known = own.timestamp
    storeBuild(known)
  }

  /** Stores and announces only what's new. See `meaningOf`. */
  function noteBuild(published: PublishedBuild): Partial<UpdateState> {
    const meaning = meaningOf(published.timestamp, { own: own.timestamp, known })
    if (known !== published.timestamp) storeBuild(published.timestamp)
    known = published.timestamp
    if (meaning === 'known') return { published }
    // A deployment was rolled back.
    return meaning === 'new' ? { published, isNew: true } : { published, isNew: false, ...stand() }
  }

  let failures = 0
  async function checkForBadge() {
    const check = await checkBuild()
    if ('build' in check) {
      failures = 0
      forgetSuspicion()
      set({ ...noteBuild(check.build), isHidden: false, certificate: certificateNow(check) })
      return
    }
    failures++
    console.debug(UPDATE_LOGS.failed, check.failure)
    set({ isHidden: failures > FAILURES_SHOWN })
    await lookAtCertificate(check)
  }

  /** A break may be over immediately, as when a laptop wakes up. Tell people only if the problem lasts. */
  let suspicion: ReturnType<typeof setTimeout> | undefined
  async function lookAtCertificate(check: Check) {
    const first = certificateNow(check)
    const second = first === 'certificate-issue' ? certificateNow(await checkAnswers()) : first
    if (second !== 'certificate-issue') {
      forgetSuspicion()
      if (second !== state.certificate) set({ certificate: second })
      return
    }
    if (state.certificate === 'certificate-issue' || suspicion !== undefined) return
    suspicion = setTimeout(async () => {
      const third = certificateNow(await checkAnswers())
      if (suspicion === undefined) return
      suspicion = undefined
      set({ certificate: third })
      if (third === 'certificate-issue') toast(CERTIFICATE_WARNING)
    }, CERTIFICATE_WARNING_DELAY_MS)
  }
  function forgetSuspicion() {
    clearTimeout(suspicion)
    suspicion = undefined
  }

  let awaySince: number | undefined
  let isAwayLogged = false
  let secondCertificate = asSecondChecker('unknown')
  async function checkForReloader() {
    const check = await checkBuild()
    noteCertificate(check)
    if ('build' in check) {
      awaySince = undefined
      isAwayLogged = false
      const news = noteBuild(check.build)
      const isNew = news.isNew ?? state.isNew
      // Immediately, so the badge never asks for a click if the page is about to reload by itself.
      set(isNew && state.reloader === 'idle' ? { ...news, ...nextStep() } : news)
      return
    }
    console.debug(UPDATE_LOGS.failed, check.failure)
    awaySince ??= Date.now()
    if (isAwayLogged || Date.now() - awaySince < UNAVAILABLE_LOG_MS) return
    isAwayLogged = true
    console.info(UPDATE_LOGS.unavailable)
  }
  function noteCertificate(check: Check) {
    const certificate = asSecondChecker(certificateNow(check))
    if (certificate === secondCertificate) return
    secondCertificate = certificate
    console.debug(UPDATE_LOGS.certificate, certificate)
  }

  /** Announces the reload and does it in a moment, or waits if text would be lost. */
  let reloading: ReturnType<typeof setTimeout> | undefined
  function nextStep(): Partial<UpdateState> {
    if (!isSafe()) return { reloader: 'waiting' }
    toast({ ...RELOADING })
    reloading = setTimeout(async () => {
      const check = await checkBuild()
      if (state.reloader !== 'reloading') return
      // Someone may have started writing in these two seconds, and if the site is down, the page wouldn't come back.
      if ('build' in check && isSafe()) return reload()
      dismissToast(RELOADING.id)
      set({ reloader: 'build' in check ? 'waiting' : 'idle' })
    }, RELOAD_AFTER_MS)
    return { reloader: 'reloading' }
  }
  function stand(): Partial<UpdateState> {
    clearTimeout(reloading)
    return { reloader: 'idle' }
  }

  // The reloader goes first, because its answer counts if both check at once.
  const stops = [
    whileVisible(RELOADER_CHECK_MS, checkForReloader),
    whileVisible(BADGE_CHECK_MS, checkForBadge),
    whileVisible(SAFE_LOOK_MS, () => {
      if (state.reloader === 'waiting' && isSafe()) set(nextStep())
    }),
  ]

  return {
    current: () => state,
    watch,
    retry: checkForBadge,
    stop: () => {
      for (const stop of stops) stop()
      clearTimeout(reloading)
      forgetSuspicion()
    },
  }
}

const certificateNow = (check: Check) =>
  certificateAfter(check, {
    isHttps: location.protocol === 'https:',
    isOnline: navigator.onLine,
  })

function storedBuild(): number | undefined {
  try {
    const stored = localStorage.getItem(LAST_BUILD_KEY)
    return stored && /^\d{1,15}$/.test(stored) ? Number(stored) : undefined
  } catch {
    return undefined
  }
}

function storeBuild(timestamp: number) {
  try {
    localStorage.setItem(LAST_BUILD_KEY, String(timestamp))
  } catch {
    // Without storage, the next page announces the build again if that page is old.
  }
}

/** Requests within this time share one answer. Both checkers ask every two minutes. */
const SHARED_MS = 1000

/** Asks for the published build. Never rejects. */
function createBuildCheck(): () => Promise<Check> {
  let latest: { at: number; answer: Promise<Check> } | undefined
  return () => {
    const now = Date.now()
    if (!latest || Math.abs(now - latest.at) >= SHARED_MS)
      latest = { at: now, answer: ask(BUILD_INFO_PATH, 'GET') }
    return latest.answer
  }
}

/** Whether any answer comes, for the certificate check. Never rejects. */
const checkAnswers = (): Promise<Check> => ask(FAVICON_PATH, 'HEAD')

async function ask(path: string, method: 'GET' | 'HEAD'): Promise<Check> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), CHECK_TIMEOUT_MS)
  try {
    // A new query each time, so no cache answers.
    const response = await fetch(`${path}?t=${Date.now()}`, {
      method,
      cache: 'no-store',
      credentials: 'omit',
      signal: patience.signal,
    })
    const build = response.ok && method === 'GET' ? buildIn(await jsonOf(response)) : undefined
    return build ? { build } : { failure: 'refused' }
  } catch {
    return { failure: patience.signal.aborted ? 'timeout' : 'network' }
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined if it isn't JSON. Throws if the connection breaks meanwhile. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Does `work` every `every` ms while the tab is visible. When people come back to the tab, it runs immediately if it's
 * due.
 */
function whileVisible(every: number, work: () => void): () => void {
  let last = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const plan = () => {
    clearTimeout(timer)
    if (!document.hidden) timer = setTimeout(tick, Math.max(0, last + every - Date.now()))
  }
  const tick = () => {
    last = Date.now()
    plan()
    work()
  }
  plan()
  document.addEventListener('visibilitychange', plan)
  return () => {
    clearTimeout(timer)
    document.removeEventListener('visibilitychange', plan)
  }
}
