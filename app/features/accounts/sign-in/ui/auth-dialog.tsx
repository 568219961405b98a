/** Where people sign in, sign up and ask for a new password. Spec §2.4. Load it with `lazyDialog`. */
import { useEffect, useState } from 'react'
import { type AuthRequest, useSession } from '../../../../session/session.data.ts'
import { useSite } from '../../../../session/site.data.ts'
import { navigate } from '../../../../ui/address.ts'
import { Dialog, keepFocus } from '../../../../ui/dialog.tsx'
import type { OpenProps } from '../../../../ui/lazy-component.tsx'
import { FORGOT_PASSWORD, LOGIN, SIGNUP } from '../auth-texts.ts'
import { safeRedirect } from '../redirect.ts'
import type { AuthFormProps, AuthView } from './auth-view.ts'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { LoginForm } from './login-form.tsx'
import { MailSent } from './mail-sent.tsx'
import { SignupForm } from './signup-form.tsx'

export function AuthDialog({ open, onOpenChange, request }: OpenProps & { request?: AuthRequest }) {
  const { siteName } = useSite()
  const [shown, setShown] = useState<AuthRequest>()
  const [view, setView] = useState<AuthView>('login')
  const [email, setEmail] = useState('')
  // While it closes it still shows what it was opened for.
  if (request && request !== shown) {
    setShown(request)
    setView(request.view)
  }
  const { status } = useSession()
  // "Log in" has got the focus back, and is gone.
  useEffect(() => {
    if (status === 'signed-in' && !open) keepFocus()
  }, [status, open])
  const form: AuthFormProps = {
    email,
    onEmail: setEmail,
    onView: setView,
    onDone: () => {
      onOpenChange(false)
      const target = safeRedirect(shown?.redirect)
      if (target !== location.pathname + location.search) navigate(target)
    },
  }
  const { title, text } = textsOf(view, siteName)
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={title} description={text}>
      {view === 'login' && <LoginForm {...form} />}
      {view === 'signup' && <SignupForm {...form} />}
      {view === 'forgot-password' && <ForgotPasswordForm {...form} />}
      {(view === 'sent' || view === 'waiting') && <MailSent {...form} view={view} />}
    </Dialog>
  )
}

function textsOf(view: AuthView, siteName: string) {
  switch (view) {
    case 'login':
      return { title: LOGIN.title, text: LOGIN.subtitle }
    case 'signup':
      return { title: SIGNUP.title, text: SIGNUP.subtitle(siteName) }
    case 'forgot-password':
      return { title: FORGOT_PASSWORD.title, text: FORGOT_PASSWORD.subtitle }
    default:
      return { title: FORGOT_PASSWORD.sentTitle, text: undefined }
  }
}
