// The one script that stands in the page itself, and the only one before something is painted: the theme, and what
// brings the others. Its text is the same on every page, so that the script policy can name it by its hash.
;(() => {
  /** Nobody touched the page: the rest comes by itself, for what is due without a touch (D54). */
  const ALONE_AFTER_MS = 1500
  /** Who waits longer for what they pressed is told so. */
  const PATIENCE_MS = 5000

  const root = document.documentElement
  let stored = null
  let session = null
  let consent = null
  try {
    stored = localStorage.getItem('theme')
    session = localStorage.getItem('kettle-auth')
    consent = localStorage.getItem('cookieConsent')
  } catch (_) {}
  // See theme.ts
  const isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  root.classList.remove('light', 'dark')
  root.classList.add('js', isDark ? 'dark' : 'light')
  if (session) root.classList.add('has-session')
  // See kit/consent/consent.ts
  if (/^(accepted|rejected|customized)$/.test(consent)) root.classList.add('has-answered')
  try {
    // Who signs in says of themselves that they are one, or the site says it of who has a company (S10).
    if (JSON.parse(session).user.user_metadata.user_type === 'employer')
      root.classList.add('is-employer')
  } catch (_) {}
  document
    .querySelector('meta[name="theme-color"]')
    ?.setAttribute('content', isDark ? '#14161c' : '#faf7f2')

  // What the link of a mail brings leaves the address before anything else loads. See session/mail-link.ts
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

  // What is typed and pressed before the page is alive happens once it is. See early-input.ts
  const early = { typed: new Map(), pressed: new Set(), keys: [] }
  const keep = (pressed) => {
    early.pressed.add(pressed)
    pressed.setAttribute('data-waits', '')
    early.wait ??= setTimeout(
      say,
      PATIENCE_MS,
      'This takes longer than usual. What you pressed is kept.',
    )
  }
  const notes = {
    input: ({ target }) => {
      const isTicked = target.type === 'checkbox' || target.type === 'radio'
      early.typed.set(target, isTicked ? target.checked : target.value)
      return true
    },
    // Links lead somewhere by themselves, and forms with an address go there.
    click: ({ target }) => {
      const button = target.closest('button')
      if (button?.type !== 'button' || button.disabled) return false
      keep(button)
      return true
    },
    submit: (event) => {
      if (event.target.hasAttribute('action')) return false
      event.preventDefault()
      keep(event.submitter ?? event.target)
      return true
    },
    // What opens the finder, wherever it is pressed. See site/layout/finder/finder-keys.ts
    keydown: (event) => {
      const isWithKey = event.ctrlKey || event.metaKey
      const isTyping = event.target.matches?.('input, textarea, select')
      if (isWithKey ? !/^k$/i.test(event.key) : event.key !== '/' || isTyping) return false
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
    // Into what stands already: only so do all screen readers say it.
    news.textContent = text
  }

  // The other scripts, at the first sign of somebody who means something.
  const INTENT = 'pointermove pointerdown touchstart wheel keydown focusin input click submit'
  let isWanted = false
  const begin = (event) => {
    // A pointer at rest: the browser tells of it, too, once there is something below it.
    if (event?.type === 'pointermove' && !event.movementX && !event.movementY) return
    isWanted = true
    const template = document.getElementById('scripts')
    if (document.readyState === 'loading' || !template) return
    for (const kind of INTENT.split(' ')) removeEventListener(kind, begin, true)
    const scripts = document.importNode(template.content, true)
    template.remove()
    for (const href of template.dataset.preloads.split(' ').filter(Boolean))
      scripts.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }))
    for (const script of scripts.querySelectorAll('script'))
      script.onerror = () =>
        say('This page did not load completely. Check your connection and load it again.')
    document.head.append(scripts)
  }
  for (const kind of INTENT.split(' '))
    addEventListener(kind, begin, { capture: true, passive: true })
  document.addEventListener('DOMContentLoaded', () => {
    const template = document.getElementById('scripts')
    // A page without scripts: nobody would do it later.
    if (!template) early.stop()
    // What is somebody's own, or where an address leads within the page, only the scripts know.
    else if (isWanted || session || isOurs || location.hash || template.dataset.when === 'at-once')
      begin()
  })
  addEventListener('load', () => setTimeout(begin, ALONE_AFTER_MS))
})()
