/**
 * The analytics provider's code, once somebody agreed to it. S20. Without the setting ANALYTICS_ID
 * nothing here runs; before consent it only fills a list in this page's memory, which nobody reads.
 */
import { currentConsent, watchConsent } from './consent.data.ts'
import { PENDING, signalsOf } from './consent.ts'

/** Where its code comes from; the content security policy lets it in only with an ANALYTICS_ID. */
const SCRIPT = 'https://www.googletagmanager.com/gtag/js'
/** Its cookies begin with this. */
const COOKIES = '_ga'
/** Here a link's token and a new password are in the page: no code of others comes in. */
const PRIVATE_PATH = '/reset-password'

type Gtag = (...words: unknown[]) => void
interface AnalyticsWindow {
  dataLayer?: unknown[]
  gtag?: Gtag
}

/** Denies everything by default, then follows the answer, whenever it changes. Call it once. */
export function startAnalytics(id: string) {
  const page = globalThis as AnalyticsWindow & Record<string, unknown>
  page.dataLayer ??= []
  // The provider's code takes each call as the `arguments` of a function, and as nothing else.
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
    // Someone who takes consent back must not go on being counted without cookies either.
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

  /** Once, and without what was searched for, or what else an address says behind its path. */
  function countPage(path: string) {
    if (!isLoaded || page[`ga-disable-${id}`] || path === counted) return
    counted = path
    gtag('event', 'page_view', { page_location: location.origin + path })
  }

  gtag('consent', 'default', signalsOf(PENDING))
  follow()
  return { countPage, stop: watchConsent(follow) }
}

/** The provider sets them for the site's domain or one above it. */
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
