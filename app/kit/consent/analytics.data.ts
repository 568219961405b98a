/** The analytics provider. Needs ANALYTICS_ID, and before consent only fills a list in memory. S20. */
import { currentConsent, watchConsent } from './consent.data.ts'
import { PENDING, signalsOf } from './consent.ts'

/** The content security policy allows it only with an ANALYTICS_ID. */
const SCRIPT = 'https://www.googletagmanager.com/gtag/js'
const COOKIES = '_ga'
/** This page has a link's token and a new password, so it runs no one else's code. */
const PRIVATE_PATH = '/reset-password'

type Gtag = (...words: unknown[]) => void
interface AnalyticsWindow {
  dataLayer?: unknown[]
  gtag?: Gtag
}

/** Denies everything, then follows the answer whenever it changes. Call it once. */
export function startAnalytics(id: string) {
  const page = globalThis as AnalyticsWindow & Record<string, unknown>
  page.dataLayer ??= []
  // The provider's code expects each call as a function's `arguments`.
  page.gtag ??= function gtag() {
    // biome-ignore lint/complexity/noArguments: see above
    page.dataLayer?.push(arguments)
  }
  const gtag: Gtag = (...words) => page.gtag?.(...words)
  let hasSpoken = false
  let isLoaded = false
  let counted = ''

  function follow() {
    const consent = currentConsent()
    const signals = signalsOf(consent)
    const mayCount = signals.analytics_storage === 'granted'
    // Otherwise, someone who withdraws consent would still be counted without cookies.
    page[`ga-disable-${id}`] = !mayCount
    if (consent.consentStatus !== 'pending' || hasSpoken) gtag('consent', 'update', signals)
    hasSpoken ||= consent.consentStatus !== 'pending'
    if (!mayCount) forgetCookies()
    if (mayCount && !isLoaded && location.pathname !== PRIVATE_PATH) {
      isLoaded = true
      load()
    }
  }

  function load() {
    gtag('js', new Date())
    gtag('config', id, { send_page_view: false })
    countPage(location.pathname)
    const script = document.createElement('script')
    script.async = true
    script.referrerPolicy = 'no-referrer'
    script.src = `${SCRIPT}?id=${encodeURIComponent(id)}`
    document.head.append(script)
  }

  /** Counts once per path. We leave out the query, because it may say what someone searched for. */
  function countPage(path: string) {
    if (!isLoaded || page[`ga-disable-${id}`] || path === counted) return
    counted = path
    gtag('event', 'page_view', { page_location: location.origin + path })
  }

  gtag('consent', 'default', signalsOf(PENDING))
  follow()
  return { countPage, stop: watchConsent(follow) }
}

/** The provider sets its cookies for the site's domain or one above it. */
function forgetCookies() {
  const names = document.cookie
    .split(';')
    .map((cookie) => cookie.split('=')[0]?.trim() ?? '')
    .filter((name) => name.startsWith(COOKIES))
  const labels = location.hostname.split('.')
  const domains = labels.map((_, i) => `; domain=${labels.slice(i).join('.')}`)
  for (const name of names)
    for (const domain of ['', ...domains]) {
      // biome-ignore lint/suspicious/noDocumentCookie: the other way to it is not in every browser
      document.cookie = `${name}=; path=/; max-age=0${domain}`
    }
}
