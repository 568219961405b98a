// The page behind a mail's link says which accounts this browser knows: see link-page.server.ts
;(() => {
  var form = document.querySelector('form')
  if (!form) return
  form.addEventListener('submit', () => {
    var session = null
    var signedUp = ''
    try {
      session = JSON.parse(localStorage.getItem('kettle-auth') || 'null')
      signedUp = localStorage.getItem('kettle-signup') || ''
    } catch (_) {}
    form.elements.known_ids.value = `${session?.user?.id || ''} ${signedUp}`.trim()
  })
})()
