/**
 * The two checkers of Spec §4, and what they know together. Each looks at its own pace: the badge's every
 * minute, the auto-reloader's every two. They share one request where both ask at once, and one memory:
 * whoever hears of a newer build first stores it, for both; the other then knows it. The badge announces,
 * by its words; the auto-reloader says that it reloads, by a toast, and while it says so the badge is
 * silent. Other tabs have memories of their own, so each tells its own reader once.
 */
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

export interface UpdateState {
  /** The newest build that this page heard of; its own, until then. */
  published: PublishedBuild
  /** There is a newer build than the page's, and the reader is told of it. */
  isNew: boolean
  /** What the auto-reloader does about it: nothing yet, wait for the writer, or reload in a moment. */
  reloader: 'idle' | 'waiting' | 'reloading'
  certificate: CertificateStatus
  /** Too many checks in a row failed. Spec §9. */
  isHidden: boolean
}

interface Surroundings {
  /** The build of this page. */
  own: PublishedBuild
  /** Whether a reload would cost nobody anything. */
  isSafe: () => boolean
  reload: () => void
}

export type Updates = ReturnType<typeof startUpdates>

/** Starts both checkers. */
export function startUpdates({ own, isSafe, reload }: Surroundings) {
  let state: UpdateState = {
    published: own,
    isNew: false,
    reloader: 'idle',
    certificate: 'unknown',
    isHidden: false,
  }
  const watchers = new Set<() => void>()
  const set = (change: Partial<UpdateState>) => {
    state = { ...state, ...change }
    for (const watcher of watchers) watcher()
  }

  const checkBuild = createBuildCheck()

  // What was stored when this page came. Nobody has to be told of the build that they are looking at.
  let known = storedBuild()
  if (known === undefined) {
    known = own.timestamp
    storeBuild(known)
  }

  /** Takes in what is published. Only what is new is stored and told; see `meaningOf`. */
  function hear(published: PublishedBuild): Partial<UpdateState> {
    const meaning = meaningOf(published.timestamp, { own: own.timestamp, known })
    if (known !== published.timestamp) storeBuild(published.timestamp)
    known = published.timestamp
    if (meaning === 'known') return { published }
    // A deployment that was taken back: there is nothing to reload for.
    return meaning === 'new' ? { published, isNew: true } : { published, isNew: false, ...stand() }
  }

  // The badge's checker.
  let failures = 0
  async function checkForBadge() {
    const check = await checkBuild()
    if ('build' in check) {
      failures = 0
      forgetSuspicion()
      set({ ...hear(check.build), isHidden: false, certificate: certificateNow(check) })
      return
    }
    failures++
    console.debug(UPDATE_LOGS.failed, check.failure)
    set({ isHidden: failures > FAILURES_SHOWN })
    await lookAtCertificate(check)
  }

  /** A break may be over in a moment, as when a laptop wakes up: what is still there then is told. */
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

  // The auto-reloader's checker.
  let awaySince: number | undefined
  let isAwayLogged = false
  let secondCertificate = asSecondChecker('unknown')
  async function checkForReloader() {
    const check = await checkBuild()
    noteCertificate(check)
    if ('build' in check) {
      awaySince = undefined
      isAwayLogged = false
      const news = hear(check.build)
      const isNew = news.isNew ?? state.isNew
      // In one go: the badge must not ask for a click where the page reloads by itself.
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
    const now = asSecondChecker(certificateNow(check))
    if (now === secondCertificate) return
    secondCertificate = now
    console.debug(UPDATE_LOGS.certificate, now)
  }

  /** Says that it reloads and does so in a moment; or waits, where that would take words from somebody. */
  let reloading: ReturnType<typeof setTimeout> | undefined
  function nextStep(): Partial<UpdateState> {
    if (!isSafe()) return { reloader: 'waiting' }
    toast({ ...RELOADING })
    reloading = setTimeout(async () => {
      const check = await checkBuild()
      if (state.reloader !== 'reloading') return
      // Somebody may have begun to write in these two seconds, and a page that goes while the site is
      // away does not come back.
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

  // The reloader first: where both ask at once, its word is the one that counts.
  const stops = [
    whileVisible(RELOADER_CHECK_MS, checkForReloader),
    whileVisible(BADGE_CHECK_MS, checkForBadge),
    whileVisible(SAFE_LOOK_MS, () => {
      if (state.reloader === 'waiting' && isSafe()) set(nextStep())
    }),
  ]

  return {
    current: () => state,
    watch: (watcher: () => void) => {
      watchers.add(watcher)
      return () => {
        watchers.delete(watcher)
      }
    },
    /** For the badge's Retry. */
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
    // A browser that stores nothing is told again by its next page, if that is an old one.
  }
}

/** Who asks within this time of each other gets one answer: both checkers ask every two minutes. */
const SHARED_MS = 1000

/** Makes the question which build is published; it never rejects. */
function createBuildCheck(): () => Promise<Check> {
  let asked: { at: number; answer: Promise<Check> } | undefined
  return () => {
    const now = Date.now()
    if (!asked || Math.abs(now - asked.at) >= SHARED_MS)
      asked = { at: now, answer: ask(BUILD_INFO_PATH, 'GET') }
    return asked.answer
  }
}

/** Whether anything comes back, whatever it says: for the certificate. Never rejects. */
const checkAnswers = (): Promise<Check> => ask(FAVICON_PATH, 'HEAD')

async function ask(path: string, method: 'GET' | 'HEAD'): Promise<Check> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), CHECK_TIMEOUT_MS)
  try {
    // A query that never was before: no cache on the way has an answer to it.
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

/** Undefined for what is no JSON; a connection that breaks meanwhile still throws. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Does `work` every `every` ms while the tab is seen; at once on coming back, if it is due by then. */
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
