/** Asks people to confirm who they are before they do something that could harm them. Load it with `lazyDialog`. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { endReauthentication, liveSession, useSession } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { dialogButtonsClasses } from '#app/kit/ui/class-names.ts'
import { Dialog } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { CurrentPasswordField } from '#app/kit/ui/password-field.tsx'
import { hasPasskeys, sessionFactors } from '../second-step.data.ts'
import { type Way, waysOf } from '../second-step.ts'
import { reauthenticate } from '../sign-in.data.ts'
import { SecondStep, WAY_LINKS } from './second-step-form.tsx'
import { ViewLink } from './view-link.tsx'

export function ReauthenticationDialog({ open, onOpenChange }: OpenProps) {
  const field = useRef<HTMLInputElement>(null)
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Confirm it’s you"
      description="It’s been a while since you signed in. Enter your password to continue."
      initialFocus={field}
    >
      {/* Mounted again each time, so no password stays in it. */}
      <Reauthentication field={field} onCancel={() => onOpenChange(false)} />
    </Dialog>
  )
}

/** Asks for the password or a second factor. */
function Reauthentication(props: ReauthenticationFormProps) {
  const [ways, setWays] = useState<Way[]>([])
  const [way, setWay] = useState<Way>()
  useEffect(() => {
    ownClient()
      .then(sessionFactors)
      .then((factors) => setWays(waysToReauthenticate(factors, hasPasskeys())))
      // The password works without a second step.
      .catch(() => {})
  }, [])
  if (way)
    return (
      <SecondStep
        client={ownClient}
        ways={waysToReauthenticate}
        first={way}
        onDone={() => endReauthentication(true)}
      >
        <ViewLink onPress={() => setWay(undefined)}>Use your password</ViewLink>
      </SecondStep>
    )
  return (
    <ReauthenticationForm {...props}>
      {ways.map((each) => (
        <ViewLink key={each} onPress={() => setWay(each)}>
          {WAY_LINKS[each]}
        </ViewLink>
      ))}
    </ReauthenticationForm>
  )
}

const ownClient = async () => (await liveSession()).auth

/** Recovery codes are for people who can't get in. */
const waysToReauthenticate: typeof waysOf = (...args) =>
  waysOf(...args).filter((way) => way !== 'recovery')

function ReauthenticationForm({
  field,
  onCancel,
  children,
}: ReauthenticationFormProps & { children: ReactNode }) {
  const { me } = useSession()
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<'password'>({
    check: () => ({ password: password === '' ? 'Please enter your password' : undefined }),
    send: async () => {
      const problem = await reauthenticate(password)
      if (problem?.code === 'invalid_credentials') return { password: problem.message }
      if (problem) return { form: problem.message }
      endReauthentication(true)
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <CurrentPasswordField
        ref={field}
        email={me?.email}
        value={password}
        onPassword={setPassword}
        error={errors.password}
      />
      <div className="-my-3 flex flex-wrap gap-x-5 empty:hidden">{children}</div>
      <div className={dialogButtonsClasses}>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy} busyLabel="Checking...">
          Confirm
        </Button>
      </div>
    </form>
  )
}

interface ReauthenticationFormProps {
  field: React.RefObject<HTMLInputElement | null>
  onCancel: () => void
}
