import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Plus, Smartphone } from 'lucide'
import { useRef, useState } from 'react'
import {
  makeRecoveryCodes,
  ownFactorsQuery,
} from '#app/identity/accounts/sign-in/own-factors.data.ts'
import { hasPasskeys } from '#app/identity/accounts/sign-in/second-step.data.ts'
import { type Factor, freshName, KIND_NAMES } from '#app/identity/accounts/sign-in/second-step.ts'
import type { Member } from '#app/kit/session/members-only.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { FactorRow } from './factor-row.tsx'
import { RecoveryCodes } from './recovery-codes.tsx'

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
  const place = useRef<HTMLDivElement>(null)
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
        title: "Couldn't create your recovery codes",
        description: problem.message,
        variant: 'destructive',
      })
  }

  if (!data && isError)
    return <LoadErrorLine text="Couldn't load your ways to confirm it." onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full rounded-lg" />
  const { factors, codesLeft } = data
  const dialog = (kind: Factor['kind']) => ({
    name: freshName(kind, factors),
    open: adding === kind,
    onOpenChange: (open: boolean) => setAdding(open ? kind : undefined),
    onDone: () => finish(kind),
  })
  return (
    <div ref={place} tabIndex={-1} className="grid gap-5 outline-none">
      {me.needsSecondFactor && (
        <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          You help run this site. Set this up to get access to the administration.
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
                    place.current?.focus()
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
              This browser doesn’t support passkeys, or not at this address.
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
