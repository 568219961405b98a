import { KeyRound } from 'lucide'
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import type { Auth } from '#app/kit/session/live-session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Select, TextField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import {
  hasPasskeys,
  knownFactors,
  verifyCode,
  verifyPasskey,
  verifyRecoveryCode,
} from '../second-step.data.ts'
import { type Factor, SECOND_STEP, type Way, waysOf } from '../second-step.ts'
import { CodeForm } from './code-form.tsx'
import { ViewLink } from './view-link.tsx'

export const WAY_LINKS: Record<Way, string> = {
  app: 'Use a code from your app',
  passkey: 'Use a passkey',
  recovery: 'Use a recovery code',
}

export function SecondStep({ client, onDone, ways = waysOf, first, children }: SecondStepProps) {
  const [it, setIt] = useState<{ auth: Auth; factors: Factor[] }>()
  const [isError, setError] = useState(false)
  const [chosen, setChosen] = useState(first)
  const load = useCallback(async () => {
    setError(false)
    try {
      const auth = await client()
      setIt({ auth, factors: await knownFactors(auth) })
    } catch {
      setError(true)
    }
  }, [client])
  useEffect(() => {
    load()
  }, [load])
  if (isError)
    return <LoadErrorLine text="Couldn’t load your ways to confirm it’s you." onRetry={load} />
  if (!it) return <Skeleton className="h-44 w-full rounded-lg" />
  const offered = ways(it.factors, hasPasskeys())
  const way = chosen ?? offered[0]
  const own = it.factors.filter(({ kind }) => kind === (way === 'app' ? 'totp' : 'webauthn'))
  return (
    <div className="grid gap-5">
      {way === 'recovery' ? (
        <RecoveryForm auth={it.auth} onDone={onDone} />
      ) : (
        <OneFactor key={way} factors={own}>
          {(id) =>
            way === 'app' ? (
              <CodeForm
                key={id}
                hint={SECOND_STEP.app}
                label="Confirm"
                verify={(digits) => verifyCode(it.auth, id, digits)}
                onDone={onDone}
                hasFocus
              />
            ) : (
              <PasskeyForm auth={it.auth} id={id} onDone={onDone} />
            )
          }
        </OneFactor>
      )}
      <div className="-my-2 flex flex-wrap justify-center gap-x-6">
        {offered
          .filter((other) => other !== way)
          .map((other) => (
            <ViewLink key={other} onPress={() => setChosen(other)}>
              {WAY_LINKS[other]}
            </ViewLink>
          ))}
        {children}
      </div>
    </div>
  )
}

/** A choice between several factors of one kind. */
function OneFactor({ factors, children }: OneFactorProps) {
  const [id, setId] = useState(factors[0]?.id ?? '')
  return (
    <>
      {factors.length > 1 && (
        <Select label="Which one?" value={id} onChange={(event) => setId(event.target.value)}>
          {factors.map((factor) => (
            <option key={factor.id} value={factor.id}>
              {factor.name}
            </option>
          ))}
        </Select>
      )}
      {children(id)}
    </>
  )
}

/** Browsers require a press before they ask for a passkey. */
function PasskeyForm({ auth, id, onDone }: WayProps & { id: string }) {
  const button = useRef<HTMLButtonElement>(null)
  const { form, errors, isBusy } = useForm({
    send: async () => {
      const problem = await verifyPasskey(auth, id)
      if (problem) return { form: problem.message }
      onDone()
    },
  })
  useEffect(() => button.current?.focus(), [])
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <p className="text-sm leading-6 text-ink-soft">{SECOND_STEP.passkey}</p>
      <Button
        ref={button}
        type="submit"
        size="lg"
        icon={<Icon of={KeyRound} />}
        busy={isBusy}
        busyLabel="Waiting for your passkey..."
      >
        Use your passkey
      </Button>
    </form>
  )
}

function RecoveryForm({ auth, onDone }: WayProps) {
  const [code, setCode] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { form, errors, isBusy } = useForm<'code'>({
    check: () => ({ code: code.trim() === '' ? 'Please enter a recovery code' : undefined }),
    send: async () => {
      const problem = await verifyRecoveryCode(auth, code.trim())
      if (!problem) return onDone()
      return problem.code ? { code: problem.message } : { form: problem.message }
    },
  })
  useEffect(() => input.current?.focus(), [])
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        ref={input}
        label="Recovery code"
        hint={SECOND_STEP.recovery}
        name="recovery-code"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        required
        value={code}
        onChange={(event) => setCode(event.target.value)}
        error={errors.code}
      />
      <Button type="submit" size="lg" busy={isBusy} busyLabel={SECOND_STEP.busy}>
        Confirm
      </Button>
    </form>
  )
}

interface WayProps {
  auth: Auth
  onDone: () => void
}

interface SecondStepProps {
  /** The client that holds the half session. */
  client: () => Promise<Auth>
  onDone: () => void
  ways?: typeof waysOf
  first?: Way
  children?: ReactNode
}

interface OneFactorProps {
  factors: Factor[]
  children: (id: string) => ReactNode
}
