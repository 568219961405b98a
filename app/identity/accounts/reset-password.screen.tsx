import { useCallback, useEffect, useRef, useState } from 'react'
import { TRY_AGAIN } from '#app/api/client.ts'
import { closeAndFocus, FormError, useForm } from '#app/kit/forms/form.tsx'
import { consumeMailLink } from '#app/kit/session/mail-link.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { NeedsScripts } from '#app/kit/ui/message.tsx'
import { PasswordField } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { PASSWORD_MIN } from './account.ts'
import {
  FAILED,
  INVALID_LINK,
  PASSWORD_UPDATED,
  RESET_PASSWORD,
  RESET_REDIRECT_MS,
} from './sign-in/auth-texts.ts'
import { resetProblems } from './sign-in/email-and-password.ts'
import type { Opening } from './sign-in/recovery.data.ts'
import { recoveryTokens } from './sign-in/recovery-link.ts'

const SecondStep = lazyComponent(() =>
  import('./sign-in/ui/second-step-form.tsx').then((it) => it.SecondStep),
)

/** Loaded on demand, because auth-js is heavy and the server also renders this page. */
const recovery = () => import('./sign-in/recovery.data.ts')
const recoveryClient = async () => (await recovery()).recoveryClient()

export default function ResetPasswordScreen() {
  const { siteName } = useSite()
  const [needsSecondStep, setNeedsSecondStep] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  const open = useRecovery(useCallback(() => setNeedsSecondStep(true), []))
  const goOn = () => {
    open.current = async () => 'open'
    closeAndFocus(
      () => setNeedsSecondStep(false),
      () => first.current,
    )
  }
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isDone, setDone] = useState(false)
  const { form, errors, isBusy } = useForm<'password' | 'again'>({
    check: () => resetProblems(password, again),
    send: async () => {
      const problem = await changePassword(open, password)
      if (problem === 'invalid') return leaveInvalid()
      if (problem === 'second-step') return
      if (problem) {
        const { message } = problem
        toast({ title: FAILED.reset, description: message, variant: 'destructive' })
        return problem.password ? { password: problem.password } : { form: message }
      }
      setDone(true)
      toast(PASSWORD_UPDATED)
      setTimeout(navigate, RESET_REDIRECT_MS, '/')
    },
  })
  return (
    <>
      <title>{`Reset Your Password – ${siteName}`}</title>
      <meta name="description" content={`Choose a new password for your account at ${siteName}.`} />
      <meta name="robots" content="noindex" />
      <div className="mx-auto mt-[8svh] w-full max-w-md px-5 py-16">
        <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-balance text-ink">
          {RESET_PASSWORD.title}
        </h1>
        <p className="mt-3 leading-relaxed text-pretty text-ink-soft">
          {needsSecondStep
            ? 'Your account uses two-step login. Please confirm it’s you first.'
            : 'Choose a new password for your account. This signs you out everywhere else.'}
        </p>
        <NeedsScripts className="mt-8">Choosing a password needs JavaScript.</NeedsScripts>
        {needsSecondStep && (
          <div className={cardClasses}>
            <SecondStep client={recoveryClient} onDone={goOn} />
          </div>
        )}
        {/* Stays mounted, so a typed password isn't lost. */}
        <form
          {...form}
          className={cx(cardClasses, needsSecondStep ? 'hidden' : 'grid gap-5 no-js:hidden')}
        >
          <FormError>{errors.form}</FormError>
          <PasswordField
            ref={first}
            label={RESET_PASSWORD.password}
            name="password"
            autoComplete="new-password"
            hint={`At least ${PASSWORD_MIN} characters`}
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={errors.password}
          />
          <PasswordField
            label={RESET_PASSWORD.again}
            name="confirm-password"
            autoComplete="new-password"
            required
            value={again}
            onChange={(event) => setAgain(event.target.value)}
            error={errors.again}
          />
          <Button
            type="submit"
            size="lg"
            busy={isBusy}
            busyLabel={RESET_PASSWORD.busy}
            disabled={isDone}
          >
            {RESET_PASSWORD.submit}
          </Button>
        </form>
      </div>
    </>
  )
}

const cardClasses = 'mt-8 rounded-xl border border-line bg-surface p-6 shadow-card'

function leaveInvalid() {
  toast(INVALID_LINK)
  navigate('/', { replace: true })
}

function useRecovery(onSecondStep: () => void) {
  const opening = useRef<() => Promise<Opening>>(undefined)
  useEffect(() => {
    // Effects may run twice, but the fragment is there only once.
    if (opening.current) return
    const tokens = recoveryTokens(consumeMailLink().fragment)
    if (!tokens) return leaveInvalid()
    let tried: Promise<Opening> | undefined
    opening.current = () => {
      tried ??= recovery()
        .then((it) => it.openRecovery(tokens))
        .catch(() => 'unknown' as const)
        .then((answer) => {
          if (answer === 'unknown') tried = undefined
          if (answer === 'second-step') onSecondStep()
          return answer
        })
      return tried
    }
    // The second step comes before people think of a password, not after.
    opening.current().then((answer) => answer === 'refused' && leaveInvalid())
  }, [onSecondStep])
  return opening
}

async function changePassword(open: ReturnType<typeof useRecovery>, password: string) {
  const opened = await open.current?.()
  if (opened === 'unknown') return { message: TRY_AGAIN }
  if (opened === 'second-step') return 'second-step'
  if (opened !== 'open') return 'invalid'
  return (await recovery()).resetPassword(password)
}
