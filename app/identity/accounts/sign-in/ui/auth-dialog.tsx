import { type ReactNode, useEffect, useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { safeRedirect } from '#app/kit/session/redirect.ts'
import {
  type AuthRequest,
  askToSignIn,
  liveSession,
  useSession,
} from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Dialog, keepFocus } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { PasswordField } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { SignUpRule } from '#app/platform/operations/live-settings.ts'
import { canTry, signUpNote } from '../../sign-up/sign-up.ts'
import {
  FAILED,
  FORGOT_PASSWORD,
  LOGIN,
  RESET_SENT,
  SIGNED_IN,
  SIGNUP,
  signedUp,
  VIEW_LINKS,
} from '../auth-texts.ts'
import { emailProblem, newPasswordProblem } from '../email-and-password.ts'
import { signOutFailed } from '../own-sign-in.data.ts'
import { requestReset } from '../recovery.data.ts'
import { SECOND_STEP } from '../second-step.ts'
import { signIn, signOut, signUp } from '../sign-in.data.ts'
import { ConfirmEmail, MailSent } from './confirm-email.tsx'
import { EmailField } from './email-field.tsx'
import { SecondStep } from './second-step-form.tsx'
import { ViewLink } from './view-link.tsx'

/** Spec §2.4. Load it with `lazyDialog`. */

export function AuthDialog({ open, onOpenChange, request }: OpenProps & { request?: AuthRequest }) {
  const { siteName } = useSite()
  const [shown, setShown] = useState<AuthRequest>()
  const [view, setView] = useState<AuthView>('login')
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [isWaiting, setWaiting] = useState(false)
  // The dialog keeps its view while it closes.
  if (request && request !== shown) {
    setShown(request)
    setView(request.view === 'signup' && isWaiting ? 'waiting' : request.view)
  }
  const { status, awaitsSecondFactor = false } = useSession()
  const [isSecond, setSecond] = useState(awaitsSecondFactor)
  if (open && isSecond !== awaitsSecondFactor) setSecond(awaitsSecondFactor)
  // Closing returned the focus to "Log in", which then disappears.
  useEffect(() => {
    if (status === 'signed-in' && !open) keepFocus()
  }, [status, open])
  const form: AuthFormProps = {
    email,
    onEmail: setEmail,
    password,
    onPassword: setPassword,
    onView: (next) => {
      setWaiting(next === 'waiting')
      setView(next)
    },
    onDone: () => {
      setWaiting(false)
      setPassword('')
      onOpenChange(false)
      // Without a request, the page was opened halfway through signing in.
      const wanted = isSecond ? request : shown
      const target = wanted ? safeRedirect(wanted.redirect) : here()
      if (target !== here()) navigate(target)
    },
  }
  const isConfirmed = open && view === 'waiting' && status === 'signed-in'
  // The link was opened in another tab.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it arrives
  useEffect(() => {
    if (isConfirmed) form.onDone()
  }, [isConfirmed])
  const change = async (next: boolean) => {
    // Closing ends a half session.
    if (!next && awaitsSecondFactor && !(await giveUp())) return
    if (!next) setPassword('')
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
  const { title, text } = textsOf(view, siteName, shown?.reason)
  return (
    <Dialog open={open} onOpenChange={change} title={title} description={text}>
      {view === 'login' && <LoginForm {...form} />}
      {view === 'signup' && <SignupForm {...form} invitation={shown?.invitation} />}
      {view === 'forgot-password' && <ForgotPasswordForm {...form} />}
      {view === 'sent' && <ResetSent {...form} />}
      {view === 'waiting' && (
        <ConfirmEmail email={email.trim()} onDone={form.onDone} hasFocus>
          <Button variant="secondary" onClick={() => form.onView('signup')}>
            Change the address
          </Button>
          <p className="-my-2 text-center sm:col-span-2">
            <ViewLink onPress={() => form.onView('login')}>{VIEW_LINKS.back}</ViewLink>
          </p>
        </ConfirmEmail>
      )}
    </Dialog>
  )
}

const here = () => location.pathname + location.search
const ownClient = async () => (await liveSession()).auth

async function giveUp() {
  const problem = await signOut()
  if (problem) toast(signOutFailed(problem.message, true))
  return !problem
}

function textsOf(view: AuthView, siteName: string, reason = SIGNUP.subtitle(siteName)) {
  switch (view) {
    case 'login':
      return { title: LOGIN.title, text: LOGIN.subtitle }
    case 'signup':
      return { title: SIGNUP.title, text: reason }
    case 'forgot-password':
      return { title: FORGOT_PASSWORD.title, text: FORGOT_PASSWORD.subtitle }
    default:
      return { title: FORGOT_PASSWORD.sentTitle, text: undefined }
  }
}

export function ForgotPasswordForm({ email, onEmail, onView }: AuthFormProps) {
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: emailProblem(email) }),
    send: async () => {
      const problem = await requestReset(email.trim())
      if (problem) {
        const { message } = problem
        toast({ title: FAILED.reset, description: message, variant: 'destructive' })
        return { form: message }
      }
      toast(RESET_SENT)
      onView('sent')
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <Button type="submit" size="lg" busy={isBusy} busyLabel={FORGOT_PASSWORD.busy}>
        Send reset link
      </Button>
      <p className="-my-2 text-center">
        <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.back}</ViewLink>
      </p>
    </form>
  )
}

export function ResetSent({ email, onView }: AuthFormProps) {
  return (
    <div className="grid gap-5">
      <MailSent hasFocus>
        If there’s an account with <strong className="font-semibold">{email.trim()}</strong>, we’ve
        emailed it a reset link. The link works once and expires in an hour.
      </MailSent>
      <p className="text-sm leading-6 text-ink-soft">
        Still nothing after a minute? Check your spam folder or try again.
      </p>
      <Button variant="secondary" size="lg" onClick={() => onView('forgot-password')}>
        Try again
      </Button>
      <p className="-my-2 text-center">
        <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.back}</ViewLink>
      </p>
    </div>
  )
}

export function LoginForm({ onView, onDone, ...fields }: AuthFormProps) {
  const { email, onEmail, password, onPassword } = fields
  const { form, errors, isBusy } = useForm<'email' | 'password'>({
    check: () => ({
      email: emailProblem(email),
      password: password === '' ? 'Please enter your password' : undefined,
    }),
    send: async () => {
      const { problem, weakness, needsSecondStep } = await signIn(email.trim(), password)
      if (problem) {
        const { message, code } = problem
        toast({ title: FAILED.signIn, description: message, variant: 'destructive' })
        // The view `waiting` can send the link again.
        if (code === 'email_not_confirmed') return onView('waiting')
        return { form: message }
      }
      if (!needsSecondStep) toast(SIGNED_IN)
      if (weakness)
        toast({ title: 'Please change your password in Settings', description: weakness })
      // Otherwise the dialog continues with the second step.
      if (!needsSecondStep) onDone()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <div className="grid gap-0.5">
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => onPassword(event.target.value)}
          error={errors.password}
        />
        <div className="-mb-2 text-right">
          <ViewLink onPress={() => onView('forgot-password')}>{LOGIN.forgot}</ViewLink>
        </div>
      </div>
      <Button type="submit" size="lg" busy={isBusy} busyLabel={LOGIN.busy}>
        Log in
      </Button>
      <p className="-my-2 flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
        New here?
        <ViewLink onPress={() => onView('signup')}>{VIEW_LINKS.signup}</ViewLink>
      </p>
    </form>
  )
}

const EVERYONE: SignUpRule = { mode: 'open', domains: [] }

/** Spec §2.4, §5, §8. */
export function SignupForm({
  onView,
  onDone,
  invitation,
  ...fields
}: AuthFormProps & { invitation?: string | undefined }) {
  const { email, onEmail, password, onPassword } = fields
  const { siteName, signUp: rule = EVERYONE } = useSite()
  const note = signUpNote(rule, Boolean(invitation))
  const { form, errors, isBusy } = useForm<'email' | 'password'>({
    check: () => ({ email: emailProblem(email), password: newPasswordProblem(password) }),
    send: async () => {
      const { problem, isWaiting } = await signUp(email.trim(), password, invitation)
      if (problem) {
        const { message } = problem
        toast({ title: FAILED.signUp, description: message, variant: 'destructive' })
        return problem.password ? { password: problem.password } : { form: message }
      }
      toast(signedUp(siteName))
      if (isWaiting) onView('waiting')
      else onDone()
    },
  })
  if (!canTry(rule, Boolean(invitation)))
    return (
      <div className="grid gap-5">
        <Note>{note}</Note>
        <HaveAccount onView={onView} />
      </div>
    )
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      {note && <Note>{note}</Note>}
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <PasswordField
        label="Password"
        name="password"
        placeholder={SIGNUP.password}
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => onPassword(event.target.value)}
        error={errors.password}
      />
      <div className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
        <p>
          We only use your email to confirm your account and reset your password. We store it
          encrypted and never show it. On this site, your employer can’t see your email or that you
          joined.
        </p>
      </div>
      <Button type="submit" size="lg" busy={isBusy} busyLabel={SIGNUP.busy}>
        Create account
      </Button>
      <p className="text-center text-xs leading-5 text-ink-faint">
        By joining, you confirm that you’re at least 13 and agree to the{' '}
        <a href="/terms" target="_blank" rel="noopener" className={linkClasses}>
          Terms of Service
        </a>{' '}
        and the{' '}
        <a href="/privacy" target="_blank" rel="noopener" className={linkClasses}>
          Privacy Policy
        </a>
        .
      </p>
      <HaveAccount onView={onView} />
      <p className="border-t border-line pt-4 text-xs leading-5 text-ink-faint">
        {SIGNUP.forCompany}
      </p>
    </form>
  )
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink">{children}</p>
)

const HaveAccount = ({ onView }: Pick<AuthFormProps, 'onView'>) => (
  <p className="-my-2 flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
    Already have an account?
    <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.login}</ViewLink>
  </p>
)

/** Spec §2.4. `sent` follows forgot-password. `waiting` follows a sign-up that needs its link opened. */
export type AuthView = 'login' | 'signup' | 'forgot-password' | 'sent' | 'waiting'

interface AuthFormProps {
  email: string
  onEmail: (email: string) => void
  /** Kept from view to view, so people don't have to type their address twice. */
  password: string
  onPassword: (password: string) => void
  onView: (view: AuthView) => void
  onDone: () => void
}
