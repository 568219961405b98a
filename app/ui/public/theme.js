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
})()
