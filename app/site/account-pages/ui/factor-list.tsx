import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, LifeBuoy, Plus, Smartphone } from 'lucide'
import { useRef, useState } from 'react'
import {
  makeRecoveryCodes,
  ownFactorsQuery,
  removeFactor,
} from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { hasPasskeys } from '#app/identity/accounts/sign-in/second-step.data.ts'
import {
  codesLeftText,
  type Factor,
  FEW_CODES,
  KIND_NAMES,
  unusedFactorName,
} from '#app/identity/accounts/sign-in/second-step.ts'
import { orThrow } from '#app/identity/accounts/sign-in/sign-in.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import type { Member } from '#app/kit/session/members-only.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'

const AppDialog = lazyDialog(() => import('./app-dialog.tsx').then((it) => it.AppDialog))
const PasskeyDialog = lazyDialog(() =>
  import('./passkey-dialog.tsx').then((it) => it.PasskeyDialog),
)
const CodesDialog = lazyDialog(() => import('./codes-dialog.tsx').then((it) => it.CodesDialog))

export function FactorList({ me }: { me: Pick<Member, 'isEmailConfirmed' | 'needsSecondFactor'> }) {
  const queryClient = useQueryClient()
  const { data, isError, refetch } = useQuery(ownFactorsQuery)
  const [adding, setAdding] = useState<Factor['kind']>()
  const [codes, setCodes] = useState<string[]>()
  const [areCodesOpen, setCodesOpen] = useState(false)
  const section = useRef<HTMLDivElement>(null)
  const refresh = () => queryClient.invalidateQueries({ queryKey: ownFactorsQuery.queryKey })

  const show = (made: string[]) => {
    setCodes(made)
    setCodesOpen(true)
    refresh()
  }
  const finish = async (kind: Factor['kind']) => {
    toast({ title: `${KIND_NAMES[kind]} added` })
    refresh()
    // The first factor comes with recovery codes.
    if (data?.codesLeft !== 0) return
    const { data: made, problem } = await makeRecoveryCodes()
    if (made) show(made)
    else
      toast({
        title: 'Couldn’t create your recovery codes',
        description: problem.message,
        variant: 'destructive',
      })
  }

  if (!data && isError)
    return <LoadErrorLine text="Couldn’t load your ways to confirm it’s you." onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full rounded-lg" />
  const { factors, codesLeft } = data
  const dialog = (kind: Factor['kind']) => ({
    name: unusedFactorName(kind, factors),
    open: adding === kind,
    onOpenChange: (open: boolean) => setAdding(open ? kind : undefined),
    onDone: () => finish(kind),
  })
  return (
    <div ref={section} tabIndex={-1} className="grid gap-5 outline-none">
      {me.needsSecondFactor && (
        <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          You help run this site. Set up two-step login to use its moderation and admin tools.
        </p>
      )}
      {factors.length > 0 && (
        <>
          <ul className="divide-y divide-line">
            {factors.map((factor) => (
              <li key={factor.id} className="py-4 first:pt-0">
                <FactorRow
                  factor={factor}
                  isLast={factors.length === 1}
                  onGone={() => {
                    section.current?.focus()
                    refresh()
                  }}
                />
              </li>
            ))}
            <li className="pt-4">
              <RecoveryCodes left={codesLeft} onMade={show} />
            </li>
          </ul>
          <hr className="border-line" />
        </>
      )}
      {me.isEmailConfirmed ? (
        <div className="grid gap-4">
          <p className="text-sm leading-6 text-ink-soft">
            {factors.length > 0
              ? 'Add another one in case you lose the first.'
              : 'Off. You log in with just your password.'}
          </p>
          <div className="flex flex-wrap gap-3">
            <Button
              variant="secondary"
              icon={<Icon of={factors.length > 0 ? Plus : Smartphone} />}
              {...AppDialog.preload}
              onClick={() => setAdding('totp')}
            >
              Add an authenticator app
            </Button>
            {hasPasskeys() && (
              <Button
                variant="secondary"
                icon={<Icon of={factors.length > 0 ? Plus : KeyRound} />}
                {...PasskeyDialog.preload}
                onClick={() => setAdding('webauthn')}
              >
                Add a passkey
              </Button>
            )}
          </div>
          {!hasPasskeys() && (
            <p className="text-sm leading-6 text-ink-faint">
              This browser doesn’t support passkeys, at least not at this address.
            </p>
          )}
        </div>
      ) : (
        <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          Confirm your email under{' '}
          <a href="#account" className="underline underline-offset-4">
            Account
          </a>{' '}
          first. It’s how you get back into your account.
        </p>
      )}
      <AppDialog {...dialog('totp')} />
      <PasskeyDialog {...dialog('webauthn')} />
      <CodesDialog open={areCodesOpen} onOpenChange={setCodesOpen} codes={codes ?? []} />
    </div>
  )
}

/** @param onGone called before the row disappears, along with the focus */
function FactorRow({ factor, isLast, onGone }: FactorRowProps) {
  const [isAsking, setAsking] = useState(false)
  const { kind, name } = factor
  const kindName = KIND_NAMES[kind]
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <span className="inline-flex size-9 shrink-0 items-center justify-center rounded-full bg-leaf-soft text-leaf">
          <Icon of={kind === 'totp' ? Smartphone : KeyRound} className="size-[1.125rem]" />
        </span>
        <div className="min-w-0">
          <h3 className="font-medium wrap-anywhere text-ink">{name}</h3>
          {!name.startsWith(kindName) && <p className="text-sm text-ink-faint">{kindName}</p>}
        </div>
      </div>
      <Button
        variant="ghost"
        size="sm"
        aria-label={`Remove ${name}`}
        {...ConfirmDialog.preload}
        onClick={() => setAsking(true)}
        className="-mr-3"
      >
        Remove
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={`Remove “${name}”?`}
        texts={{
          text: isLast
            ? 'You’ll log in with just your password, and your recovery codes stop working. This signs out your other devices.'
            : 'You can no longer use it to log in. This signs out your other devices.',
          confirm: 'Remove',
          busy: 'Removing...',
        }}
        act={async () => orThrow(await removeFactor(factor.id))}
        onDone={() => {
          toast({ title: isLast ? 'Two-step login is off' : `${name} removed` })
          onGone()
        }}
      />
    </article>
  )
}

interface FactorRowProps {
  factor: Factor
  isLast: boolean
  onGone: () => void
}

function RecoveryCodes({ left, onMade }: RecoveryCodesProps) {
  const [isAsking, setAsking] = useState(false)
  const [made, setMade] = useState<string[]>([])
  const isFew = left < FEW_CODES
  return (
    <article className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex min-w-0 items-center gap-3">
        <span
          className={cx(
            'inline-flex size-9 shrink-0 items-center justify-center rounded-full',
            isFew ? 'bg-danger-soft text-danger' : 'bg-sunken text-ink-soft',
          )}
        >
          <Icon of={LifeBuoy} className="size-[1.125rem]" />
        </span>
        <div className="min-w-0">
          <h3 className="font-medium text-ink">Recovery codes</h3>
          <p className={cx('text-sm', isFew ? 'text-danger' : 'text-ink-faint')}>
            {codesLeftText(left)}
          </p>
        </div>
      </div>
      <Button
        variant="ghost"
        size="sm"
        {...ConfirmDialog.preload}
        onClick={() => setAsking(true)}
        className="-mr-3"
      >
        New codes
      </Button>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title="Get new recovery codes?"
        variant="primary"
        texts={{
          text: 'You’ll get ten new codes. The old ones stop working.',
          confirm: 'Get new codes',
          busy: 'Creating codes...',
        }}
        act={async () => {
          const { data, problem } = await makeRecoveryCodes()
          orThrow(problem)
          setMade(data ?? [])
        }}
        onDone={() => onMade(made)}
      />
    </article>
  )
}

interface RecoveryCodesProps {
  left: number
  onMade: (codes: string[]) => void
}
