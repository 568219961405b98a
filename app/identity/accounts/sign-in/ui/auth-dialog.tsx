/** Where people sign in, sign up and ask for a new password. Spec §2.4. Load it with `lazyDialog`. */
import { useEffect, useState } from 'react'
import { safeRedirect } from '#app/kit/session/redirect.ts'
import {
  type AuthRequest,
  askToSignIn,
  liveSession,
  useSession,
} from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.data.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Dialog, keepFocus } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { FORGOT_PASSWORD, LOGIN, SIGNED_IN, SIGNUP, VIEW_LINKS } from '../auth-texts.ts'
import { SECOND_STEP } from '../second-step.ts'
import { signOut } from '../sign-in.data.ts'
import { signOutFailed } from '../sign-out-texts.ts'
import type { AuthFormProps, AuthView } from './auth-view.ts'
import { ForgotPasswordForm } from './forgot-password-form.tsx'
import { LoginForm } from './login-form.tsx'
import { MailSent } from './mail-sent.tsx'
import { SecondStep } from './second-step.tsx'
import { SignupForm } from './signup-form.tsx'
import { ViewLink } from './view-link.tsx'

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
  const { status, isHalfway = false } = useSession()
  const [isSecond, setSecond] = useState(isHalfway)
  if (open && isSecond !== isHalfway) setSecond(isHalfway)
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
      // Nobody asked where the page was opened with the second step still to do.
      const asked = isSecond ? request : shown
      const target = asked ? safeRedirect(asked.redirect) : here()
      if (target !== here()) navigate(target)
    },
  }
  const isConfirmed = open && view === 'waiting' && status === 'signed-in'
  // The link was opened in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it has come
  useEffect(() => {
    if (isConfirmed) form.onDone()
  }, [isConfirmed])
  const change = async (next: boolean) => {
    // Half a session is left to nobody.
    if (!next && isHalfway && !(await giveUp())) return
    onOpenChange(next)
  }
  const startAgain = () => {
    setView('login')
    askToSignIn({ view: 'login', redirect: request?.redirect ?? here() })
    giveUp()
  }
  if (isSecond)
    return (
      <Dialog open={open} onOpenChange={change} title={SECOND_STEP.title}>
        <SecondStep
          client={ownClient}
          onDone={() => {
            toast(SIGNED_IN)
            form.onDone()
          }}
        >
          <ViewLink onPress={startAgain}>{VIEW_LINKS.back}</ViewLink>
        </SecondStep>
      </Dialog>
    )
  const { title, text } = textsOf(view, siteName)
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={text}>
      {view === 'login' && <LoginForm {...form} />}
      {view === 'signup' && <SignupForm {...form} />}
      {view === 'forgot-password' && <ForgotPasswordForm {...form} />}
      {(view === 'sent' || view === 'waiting') && <MailSent {...form} view={view} />}
    </Dialog>
  )
}

const here = () => location.pathname + location.search
const ownClient = async () => (await liveSession()).auth

/** Whether the half session has ended. */
async function giveUp() {
  const problem = await signOut()
  if (problem) toast(signOutFailed(problem.message, true))
  return !problem
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
