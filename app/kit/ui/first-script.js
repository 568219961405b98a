// The one script in the page itself, and the only one before the first paint. Its text is the same on every page, so
// that the content security policy can name it by its hash.
;(() => {
  /** Without any input, the other scripts load after this long, for timers (D54). */
  const ALONE_AFTER_MS = 1500
  /** After this long, people see that their press is pending. */
  const PATIENCE_MS = 5000

  const root = document.documentElement
  let stored = null
  let session = null
  let consent = null
  let visitor = null
  try {
    stored = localStorage.getItem('theme')
    session = localStorage.getItem('kettle-auth')
    consent = localStorage.getItem('cookieConsent')
    visitor = localStorage.getItem('anonymousUserId')
  } catch (_) {}
  // See theme.ts
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.remove('light', 'dark')
  root.classList.add('js', isDark ? 'dark' : 'light')
  if (session) root.classList.add('has-session')
  // See site/layout/ui/header.tsx
  if (session || visitor) root.classList.add('has-bell')
  // On a slow or metered connection, the fonts would be a quarter of the page.
  const { effectiveType = '4g', saveData } = navigator.connection ?? {}
  if (saveData || effectiveType !== '4g') root.classList.add('is-slow')
  // See kit/consent/consent.ts
  if (/^(accepted|rejected|customized)$/.test(consent)) root.classList.add('has-answered')
  try {
    // People say so when they sign up, or the site does once they have a company (S10).
    if (JSON.parse(session).user.user_metadata.user_type === 'employer')
      root.classList.add('is-employer')
  } catch (_) {}
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', isDark ? '#14161c' : '#faf7f2')

  // A mail link's tokens leave the address before anything else loads. See session/mail-link.ts
  const url = new URL(location.href)
  let isOurs = /[#&](access_token|error_code)=/.test(url.hash)
  for (const name of ['code', 'token', 'error', 'error_code', 'error_description']) {
    isOurs = isOurs || url.searchParams.has(name)
    url.searchParams.delete(name)
  }
  if (isOurs) {
    window.kettleMailLink = { query: location.search, fragment: location.hash }
    url.hash = ''
    history.replaceState(history.state, '', url)
  }

  // Keeps what people type and press until the page is alive. See early-input.ts
  const early = { typed: new Map(), pressed: new Set(), keys: [] }
  const keep = (pressed) => {
    early.pressed.add(pressed)
    pressed.setAttribute('data-waits', '')
    early.wait ??= setTimeout(
      say,
      PATIENCE_MS,
      'This is taking longer than usual. Your click still counts.',
    )
  }
  const notes = {
    input: ({ target }) => {
      const isTicked = target.type === 'checkbox' || target.type === 'radio'
      early.typed.set(target, isTicked ? target.checked : target.value)
      return true
    },
    // Links, forms with an address and popovers work by themselves.
    click: ({ target }) => {
      const button = target.closest('button')
      if (button?.type !== 'button' || button.disabled || button.popoverTargetElement) return false
      keep(button)
      return true
    },
    submit: (event) => {
      if (event.target.hasAttribute('action')) return false
      event.preventDefault()
      keep(event.submitter ?? event.target)
      return true
    },
    // What opens the finder, wherever it's pressed, and what's typed then. See site/layout/finder/finder.data.ts
    keydown: (event) => {
      const { key } = event
      const isWithKey = event.ctrlKey || event.metaKey
      const isTyping = event.target.matches?.('input, textarea, select')
      const isNext = early.keys.length > 0 && (key.length === 1 || /^(Backspace|Enter)$/.test(key))
      if (isWithKey ? !/^k$/i.test(key) : isTyping || !(isNext || key === '/')) return false
      event.preventDefault()
      early.keys.push(event)
      return true
    },
  }
  const note = (event) => {
    const isOnPage = event.type === 'keydown' || event.target.closest?.('#root')
    if (isOnPage && notes[event.type](event)) event.stopImmediatePropagation()
  }
  for (const kind in notes) document.addEventListener(kind, note, true)
  early.stop = () => {
    for (const kind in notes) document.removeEventListener(kind, note, true)
    clearTimeout(early.wait)
    document.getElementById('early-news')?.remove()
    for (const waiting of early.pressed) waiting.removeAttribute('data-waits')
  }
  window.kettleEarly = early

  const say = (text) => {
    const news = document.createElement('p')
    news.id = 'early-news'
    news.setAttribute('role', 'alert')
    document.getElementById('early-news')?.remove()
    document.body.append(news)
    // Into an element that's there already, or some screen readers stay silent.
    news.textContent = text
  }

  // The other scripts load at the first sign of intent.
  const INTENT = 'pointermove pointerdown touchstart wheel keydown focusin input click submit'
  let isWanted = false
  const begin = (event) => {
    // Browsers fire pointer events also when something appears below a resting pointer.
    if (event?.type === 'pointermove' && !event.movementX && !event.movementY) return
    isWanted = true
    const template = document.getElementById('scripts')
    if (document.readyState === 'loading' || !template) return
    for (const kind of INTENT.split(' ')) removeEventListener(kind, begin, true)
    const scripts = document.importNode(template.content, true)
    template.remove()
    for (const preload of template.dataset.preloads.split(' ').filter(Boolean)) {
      const [href, integrity] = preload.split('|')
      const link = document.createElement('link')
      scripts.append(Object.assign(link, { rel: 'modulepreload', href, integrity }))
    }
    for (const script of scripts.querySelectorAll('script'))
      script.onerror = () =>
        say('This page didn’t load completely. Check your connection and reload it.')
    document.head.append(scripts)
  }
  for (const kind of INTENT.split(' '))
    addEventListener(kind, begin, { capture: true, passive: true })
  document.addEventListener('DOMContentLoaded', () => {
    const template = document.getElementById('scripts')
    // A page without scripts. Nothing would happen later.
    if (!template) early.stop()
    // Personal data and positions within the page need scripts.
    else if (isWanted || session || isOurs || location.hash || template.dataset.when === 'at-once')
      begin()

    // On a phone, a company's tabs begin far down. On a reload or Back, the browser scrolls by itself.
    const tabs = !location.hash && url.searchParams.has('tab') && document.getElementById('tabs')
    const [visit] = performance.getEntriesByType('navigation')
    if (tabs && visit?.type === 'navigate' && tabs.getBoundingClientRect().top > innerHeight / 2)
      tabs.scrollIntoView()
  })
  addEventListener('load', () => setTimeout(begin, ALONE_AFTER_MS))
})()
