/** Whether the secret that a person rates with is on this device, and the ways to have it on others. Comes after the settings. */
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { SettingsSection } from '#app/kit/ui/settings-section.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { CredentialContract } from '../credential.contract.ts'
import { useHolder } from '../holder.data.ts'
import { canSeal, ownCredentialQuery, placeOfSecret } from '../own-credential.data.ts'

const KeepSecretDialog = lazyDialog(() =>
  import('./keep-secret-dialog.tsx').then((it) => it.KeepSecretDialog),
)
const BringSecretDialog = lazyDialog(() =>
  import('./bring-secret-dialog.tsx').then((it) => it.BringSecretDialog),
)

/** @param children what else is of ratings here */
export function RatingSecretSettings({ children }: { children?: ReactNode }) {
  return (
    <SettingsSection
      id="your-ratings"
      title="Your ratings"
      text="You rate with a secret that only your devices have, so nobody can look up what you rated."
    >
      <div className="grid gap-4">
        <RatingSecret />
        <WhatIsThis />
        {children}
      </div>
    </SettingsSection>
  )
}

function RatingSecret() {
  const api = useApi<CredentialContract>()
  const who = useSessionKey()
  const holder = useHolder(who)
  const { data, isError, refetch } = useQuery(ownCredentialQuery(api, who))
  const [open, setOpen] = useState<'keep' | 'bring' | 'lost'>()
  // While it closes it still shows what it was opened for.
  const [isLost, setLost] = useState(false)
  const place = useRef<HTMLDivElement>(null)
  if (!data && isError)
    return <LoadErrorLine text="What is kept for you did not load." onRetry={refetch} />
  if (!data) return <Skeleton className="h-20 w-full rounded-lg" />
  const where = placeOfSecret(data, holder)
  const isKept = data.vault !== null
  const close = () => setOpen(undefined)
  const openBring = (view: 'bring' | 'lost') => {
    setLost(view === 'lost')
    setOpen(view)
  }
  return (
    <div ref={place} tabIndex={-1} className="grid gap-4 outline-none">
      {where === 'nowhere' && (
        <Text>
          There’s nothing to keep yet. It starts by itself soon after you log in, or with your first
          rating.
        </Text>
      )}
      {where === 'here' && (
        <>
          <Text>
            {isKept
              ? 'This device can change and remove your ratings, and what it needs for that is kept for your other devices: your twelve words open it there, or the passkey or password that you chose.'
              : 'This device can change and remove your ratings, and no other one can. When it is lost, nobody can do so any more.'}
          </Text>
          {canSeal() && (
            <Button
              variant={isKept ? 'secondary' : 'primary'}
              {...KeepSecretDialog.preload}
              onClick={() => setOpen('keep')}
              className="justify-self-start"
            >
              {isKept ? 'Make new words' : 'Keep for other devices'}
            </Button>
          )}
        </>
      )}
      {(where === 'elsewhere' || where === 'refused') && (
        <>
          <Text>
            {where === 'elsewhere'
              ? 'Your ratings belong to another device so far. Once you bring them here, this one can rate, and change what you gave.'
              : 'Your ratings were begun on another device, or begun anew there. What this one had for them does not count any more.'}
          </Text>
          <div className="flex flex-wrap gap-3">
            {canSeal() && (
              <Button {...BringSecretDialog.preload} onClick={() => openBring('bring')}>
                Bring them here
              </Button>
            )}
            <Button
              variant="ghost"
              {...BringSecretDialog.preload}
              onClick={() => openBring('lost')}
            >
              I have lost them
            </Button>
          </div>
        </>
      )}
      {where !== 'nowhere' && !canSeal() && (
        <Text>
          At an address without https a browser cannot encrypt, so nothing is kept for other devices
          from here, or brought here.
        </Text>
      )}
      <KeepSecretDialog open={open === 'keep'} onOpenChange={close} isKept={isKept} />
      <BringSecretDialog
        open={open === 'bring' || open === 'lost'}
        onOpenChange={close}
        isLost={isLost}
        onBrought={() => place.current?.focus()}
      />
    </div>
  )
}

const Text = ({ children }: { children: ReactNode }) => (
  <p className="text-sm leading-6 text-ink-soft">{children}</p>
)

function WhatIsThis() {
  return (
    <details className="text-sm leading-6 text-ink-soft">
      <summary className="inline-flex min-h-8 items-center underline decoration-line-strong underline-offset-4 hover:text-ink">
        What is this?
      </summary>
      <div className="mt-2 grid gap-3">
        <p>
          Soon after you log in with a confirmed email, or with your first rating if that comes
          first, your browser makes up a secret and keeps it to itself. We know that your account
          has one, not what it is: a copy of our database, our logs and our keys does not say what
          you rated. Only a device with the secret can change or remove your ratings.
        </p>
        <p>
          For your other devices we keep it sealed, and what opens it is yours alone: twelve words
          or a passkey. When the device is lost and you have no words, your ratings stay on the
          site, but nobody can change or remove them.
        </p>
        <p>
          It does not help against scripts that we could change, against somebody who watches your
          connection, or where your style or a small company gives you away; and nobody outside has
          reviewed it yet.
        </p>
      </div>
    </details>
  )
}
