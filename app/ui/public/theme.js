// See theme.ts
;(() => {
  var stored = null
  var session = null
  try {
    stored = localStorage.getItem('theme')
    session = localStorage.getItem('kettle-auth')
  } catch (_) {}
  var isDark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  var root = document.documentElement
  root.classList.remove('light', 'dark')
  root.classList.add('js', isDark ? 'dark' : 'light')
  if (session) root.classList.add('has-session')
  var meta = document.querySelector('meta[name="theme-color"]')
  if (meta) meta.setAttribute('content', isDark ? '#14161c' : '#faf7f2')

  // What the link of a mail brings leaves the address before anything else loads. See session/mail-link.ts
  var url = new URL(location.href)
  var isOurs = /[#&](access_token|error_code)=/.test(url.hash)
  ;['code', 'token', 'error', 'error_code', 'error_description'].forEach((name) => {
    isOurs = isOurs || url.searchParams.has(name)
    url.searchParams.delete(name)
  })
  if (isOurs) {
    window.kettleMailLink = { query: location.search, fragment: location.hash }
    url.hash = ''
    history.replaceState(history.state, '', url)
  }

  // What is typed and pressed before the page is alive happens once it is. See early-input.ts
  var early = { typed: new Map(), pressed: new Set() }
  var notes = {
    input: ({ target }) => {
      var isTicked = target.type === 'checkbox' || target.type === 'radio'
      early.typed.set(target, isTicked ? target.checked : target.value)
      return true
    },
    // Links lead somewhere by themselves, and forms with an address go there.
    click: ({ target }) => {
      var button = target.closest('button')
      if (button?.type !== 'button') return false
      early.pressed.add(button)
      return true
    },
    submit: (event) => {
      if (event.target.hasAttribute('action')) return false
      event.preventDefault()
      if (event.submitter) early.pressed.add(event.submitter)
      return true
    },
  }
  var note = (event) => {
    if (event.target.closest?.('#root') && notes[event.type](event))
      event.stopImmediatePropagation()
  }
  for (var kind in notes) document.addEventListener(kind, note, true)
  early.stop = () => {
    for (var kind in notes) document.removeEventListener(kind, note, true)
  }
  window.kettleEarly = early
})()
